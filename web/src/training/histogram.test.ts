import { expect, test } from 'vitest';
import { ridgesOf } from './histogram';

const span = { start: 0, end: 10 };

test('values are spread over the cells that their bin covers', () => {
  const histograms = {
    series: 1,
    step: [0, 5],
    edges: [
      [0, 2, 4],
      [0, 4],
    ],
    counts: [[3, 1], [8]],
  };
  const ridges = ridgesOf(histograms, span, 4);
  expect([ridges.low, ridges.high]).toEqual([0, 4]);
  expect(Array.from(ridges.shares)).toEqual([
    ...[0.375, 0.375, 0.125, 0.125],
    ...[0.25, 0.25, 0.25, 0.25],
  ]);
  expect(ridges.most).toBe(0.375);
});

test('a bin without width is one cell, and empty histograms are left out', () => {
  const histograms = { series: 1, step: [0, 1], edges: [[2, 2], []], counts: [[5], []] };
  const ridges = ridgesOf(histograms, span, 2);
  expect(ridges.step).toEqual([0]);
  expect(Array.from(ridges.shares).reduce((sum, share) => sum + share, 0)).toBe(1);
});

test('the histogram that holds at the beginning of the span is shown', () => {
  const edges = [0, 1];
  const histograms = {
    series: 1,
    step: [0, 10, 20, 30],
    edges: [edges, edges, edges, edges],
    counts: [[1], [1], [1], [1]],
  };
  expect(ridgesOf(histograms, { start: 15, end: 25 }, 1).step).toEqual([10, 20]);
});
