import { expect, test } from 'vitest';
import { exampleTimeline } from './example';
import { aliveAt, curveOf, memoryOf } from './memory';

const memory = memoryOf(exampleTimeline().memory!, 2);

test('each pixel has the moment with the most alive', () => {
  const curve = curveOf(memory, { start: 0, end: 1000 }, 10);
  const total = (pixel: number) =>
    curve.bytes
      .subarray(pixel * curve.categories, (pixel + 1) * curve.categories)
      .reduce((sum, value) => sum + value, 0);
  expect([0, 1, 2, 5, 6, 9].map(total)).toEqual([150, 170, 150, 150, 100, 100]);
  expect(curve.at[1]).toBe(2);
});

test('a part of the step begins with what is alive by then', () => {
  const curve = curveOf(memory, { start: 300, end: 500 }, 2);
  expect([...curve.bytes]).toEqual([100, 50, 0, 100, 50, 0]);
});

test('a moment has its categories and its largest lines', () => {
  const { total, categories, lines } = aliveAt(memory, memory.wire.peak, 1);
  expect(total).toBe(memory.wire.peak_bytes);
  expect(categories.map(({ name }) => name)).toEqual(['parameters', 'activations', 'temporaries']);
  expect(lines).toEqual([{ line: 1, bytes: 100 }]);
  expect(aliveAt(memory, 4, 5).lines).toEqual([{ line: 1, bytes: 100 }]);
  expect(memory.peakTime).toBe(150);
});
