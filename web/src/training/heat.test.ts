import { expect, test } from 'vitest';
import { exampleCurve } from './example';
import { BROKEN, EMPTY, heatOf, LEVELS } from './heat';

const span = { start: 0, end: 4 };

test('rows share one scale', () => {
  const low = exampleCurve([0, 1, 2, 3], [0, 0, 0, 0]);
  const high = exampleCurve([0, 1, 2, 3], [4, 4, 4, 8]);
  const heat = heatOf([low, high], span, 4, 'linear');
  expect(Array.from(heat.levels)).toEqual([
    ...[0, 0, 0, 0],
    ...[LEVELS / 2, LEVELS / 2, LEVELS / 2, LEVELS - 1],
  ]);
  expect(heat.scale).toMatchObject({ low: 0, high: 8 });
});

test('a figure holds until the next one, and none is made up before the first', () => {
  const sparse = exampleCurve([1, 3], [0, 1]);
  expect(Array.from(heatOf([sparse], span, 4, 'linear').levels)).toEqual([EMPTY, 0, 0, LEVELS - 1]);
});

test('what is not finite is not hidden by what shares its cell', () => {
  const curve = exampleCurve([0, 1, 2, 3], [1, null, 2, 2]);
  const heat = heatOf([curve, null], span, 2, 'linear');
  expect(heat.levels[0]).toBe(BROKEN);
  expect(Array.from(heat.levels.subarray(2))).toEqual([EMPTY, EMPTY]);
});
