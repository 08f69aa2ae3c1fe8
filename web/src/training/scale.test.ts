import { expect, test } from 'vitest';
import { exampleCurve } from './example';
import { placeOf, scaleFor, ticksOf, valueText } from './scale';

test('a linear scale reaches from the smallest to the largest', () => {
  const curve = exampleCurve([0, 1], [2, 4], { min: [1, 3], max: [3, 5] });
  const scale = scaleFor([curve], 'linear');
  expect(scale).toEqual({ kind: 'linear', low: 1, high: 5 });
  expect(placeOf(scale, 1)).toBe(0);
  expect(placeOf(scale, 3)).toBe(0.5);
  expect(placeOf(scale, 5)).toBe(1);
});

test('a logarithmic scale gives each power of ten the same room', () => {
  const scale = scaleFor([exampleCurve([0, 1, 2], [0.01, 1, 100])], 'log');
  expect(placeOf(scale, 0.01)).toBeCloseTo(0);
  expect(placeOf(scale, 1)).toBeCloseTo(0.5);
  expect(placeOf(scale, 100)).toBeCloseTo(1);
});

test('a logarithmic scale has no place for zero, and begins above it', () => {
  const scale = scaleFor([exampleCurve([0, 1], [0, 10], { min: [-1, 0.1] })], 'log');
  expect(scale).toEqual({ kind: 'log', low: 0.1, high: 10 });
  expect(placeOf(scale, 0)).toBeNull();
  expect(placeOf(scale, 1e-30)).toBe(0);
  expect(scaleFor([exampleCurve([0], [-3])], 'log').kind).toBe('linear');
});

test('values that do not change, or are not there, have a scale too', () => {
  expect(scaleFor([exampleCurve([0, 1], [4, 4])], 'linear')).toEqual({
    kind: 'linear',
    low: 2,
    high: 6,
  });
  expect(scaleFor([exampleCurve([0], [0])], 'linear')).toEqual({
    kind: 'linear',
    low: -0.5,
    high: 0.5,
  });
  expect(scaleFor([exampleCurve([0, 1], [null, null])], 'log')).toEqual({
    kind: 'linear',
    low: 0,
    high: 1,
  });
});

test('ticks are round and few', () => {
  expect(ticksOf({ kind: 'linear', low: 0, high: 10 }, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticksOf({ kind: 'log', low: 0.01, high: 100 }, 3)).toEqual([0.01, 1, 100]);
  expect(ticksOf({ kind: 'log', low: 2, high: 5 }, 3)).toEqual([5]);
});

test('values are told in few digits', () => {
  expect(valueText(1.23456)).toBe('1.235');
  expect(valueText(1.5e-9)).toBe('1.50e-9');
  expect(valueText(0)).toBe('0');
  expect(valueText(null)).toBe('not finite');
  expect(valueText(undefined)).toBe('–');
});
