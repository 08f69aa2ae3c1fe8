import { expect, test } from 'vitest';
import { askedSpan, columnAt, notFinite, valueAt, within } from './curves';
import { exampleCurve } from './example';

const curve = exampleCurve([10, 20, 30, 40], [1, null, null, 4]);

test('a step has the value of the column that it lies in', () => {
  expect(columnAt(curve, 9)).toBe(-1);
  expect(columnAt(curve, 10)).toBe(0);
  expect(columnAt(curve, 29)).toBe(1);
  expect(columnAt(curve, 1000)).toBe(3);
  expect(valueAt(curve, 15)).toBe(1);
  expect(valueAt(curve, 25)).toBeNull();
  expect(valueAt(curve, 5)).toBeUndefined();
});

test('what is not finite is marked where it begins', () => {
  expect(notFinite(curve)).toEqual([20]);
  expect(notFinite(exampleCurve([1, 2, 3], [null, 1, null]))).toEqual([1, 3]);
  const few = { ...exampleCurve([1, 2, 3], [1, 1, 1]), non_finite: [0, 2, 0] };
  expect(notFinite(few)).toEqual([2]);
});

test('a part of a curve has the columns that lead into and out of it', () => {
  expect(within(curve, { start: 22, end: 28 }).step).toEqual([20, 30]);
  expect(within(curve, { start: 0, end: 100 }).step).toEqual(curve.step);
});

test('a little more is asked for than is shown, but no more than there is', () => {
  const whole = { start: 0, end: 100 };
  expect(askedSpan({ start: 40, end: 60 }, whole)).toEqual({ from: 35, to: 65 });
  expect(askedSpan(whole, whole)).toEqual({ from: 0, to: 100 });
});
