import { expect, test } from 'vitest';
import { batchSizeByKey, typedBatchSize } from './keys';

test('arrows go by one, pages by two, and there are ends', () => {
  const from16 = (key: string) => batchSizeByKey(key, 16, 412);
  expect(['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown'].map(from16)).toEqual([17, 17, 15, 15]);
  expect(['PageUp', 'PageDown', 'Home', 'End'].map(from16)).toEqual([32, 8, 1, 412]);
  expect(from16('a')).toBeNull();
});

test('what is typed is a whole number of samples, or nothing', () => {
  expect(['64', ' 1 024 ', '1_024', '1,024'].map(typedBatchSize)).toEqual([64, 1024, 1024, 1024]);
  const wrong = ['', '0', '-3', '1.5', 'x', '1e3', '12345678901234567890'];
  expect(wrong.map(typedBatchSize)).toEqual(wrong.map(() => null));
});
