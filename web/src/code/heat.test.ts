import { expect, test } from 'vitest';
import { exampleTree } from '../tree/example';
import { Results } from '../tree/results';
import { heatOf, movedHeat, nextLine } from './heat';

const results = new Results(exampleTree());

test('lines of the file have their cost with what they call, and the hottest has the highest level', () => {
  const heat = heatOf(results, 'model.py', 'time');
  expect(heat.map(({ line, text, level }) => [line, text, level])).toEqual([
    [2, '15.0 ms', 4],
    [3, '3.00 ms', 2],
  ]);
  expect(heat[0].total).toBeCloseTo(0.6);
});

test('a line that only calls others is long but not hot', () => {
  const [call] = heatOf(results, 'train.py', 'time');
  expect(call.total).toBeCloseTo(19 / 25 + 1 / 25, 1);
  expect(call.level).toBe(1);
});

test('lines without memory have no heat of memory', () => {
  expect(heatOf(results, 'train.py', 'memory').map((entry) => entry.line)).toEqual([5]);
});

test('heat moves with its lines and leaves those that are gone', () => {
  const heat = heatOf(results, 'model.py', 'time');
  expect(movedHeat(heat, new Map([[2, 7]])).map((entry) => entry.line)).toEqual([7]);
});

test('arrows go from one line with a cost to the next', () => {
  const heat = heatOf(results, 'model.py', 'time');
  expect(nextLine(heat, undefined, 1)).toBe(2);
  expect(nextLine(heat, 2, 1)).toBe(3);
  expect(nextLine(heat, 3, 1)).toBeUndefined();
  expect(nextLine(heat, 3, -1)).toBe(2);
});
