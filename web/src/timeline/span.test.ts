import { expect, test } from 'vitest';
import { moved, panned, showing, ticksOf, wheelFactor, zoomed } from './span';

const whole = { start: 0, end: 1e6 };

test('what is under the pointer stays there', () => {
  const span = zoomed(whole, whole, 0.5, 25e4);
  expect(span).toEqual({ start: 125e3, end: 625e3 });
  expect((25e4 - span.start) / (span.end - span.start)).toBeCloseTo(0.25);
});

test('nobody gets out of the step, or closer than there is anything', () => {
  expect(zoomed({ start: 0, end: 1e5 }, whole, 100, 0)).toEqual(whole);
  expect(panned({ start: 0, end: 1e5 }, whole, -50)).toEqual({ start: 0, end: 1e5 });
  expect(panned({ start: 0, end: 1e5 }, whole, 1e9)).toEqual({ start: 9e5, end: 1e6 });
  const close = zoomed({ start: 500, end: 700 }, whole, 0.001, 600);
  expect(close).toEqual({ start: 500, end: 700 });
  expect(zoomed({ start: 0, end: 10 }, { start: 0, end: 10 }, 0.1, 5)).toEqual({
    start: 0,
    end: 10,
  });
});

test('zooming in and out again leads back', () => {
  const there = zoomed(whole, whole, wheelFactor(-200), 4e5);
  const back = zoomed(there, whole, wheelFactor(200), 4e5);
  expect(back.start).toBeCloseTo(0);
  expect(back.end).toBeCloseTo(1e6);
});

test('W, A, S and D are as in Perfetto, and other keys are nothing', () => {
  const span = { start: 2e5, end: 4e5 };
  expect(moved(span, whole, 'w', 3e5)).toEqual({ start: 23e4, end: 37e4 });
  expect(moved(span, whole, 'S', 3e5)!.start).toBeLessThan(2e5);
  expect(moved(span, whole, 'a', 3e5)).toEqual({ start: 17e4, end: 37e4 });
  expect(moved(span, whole, 'd', 3e5)).toEqual({ start: 23e4, end: 43e4 });
  expect(moved(span, whole, 'x', 3e5)).toBeNull();
});

test('what is not to be seen is brought into the middle', () => {
  const span = { start: 0, end: 1e5 };
  expect(showing(span, whole, 5e4, 6e4)).toBe(span);
  expect(showing(span, whole, 5e5, 6e5)).toEqual({ start: 5e5, end: 6e5 });
});

test('a ruler has round times that are far enough apart', () => {
  const { times, step } = ticksOf({ start: 123, end: 98_765 }, 500, 80);
  expect(step).toBe(20_000);
  expect(times).toEqual([20_000, 40_000, 60_000, 80_000]);
});
