import { expect, test } from 'vitest';
import { memoryBar, shareOf, throughputBar } from './bars';
import { exampleReport, exampleTable } from './example';
import { Predictions } from './predictions';

const predictions = new Predictions(exampleTable());
const report = exampleReport();

test('throughput is shown up to its limit, and reaches to the best batch', () => {
  const bar = throughputBar(report, predictions, null);
  expect(bar.most).toBe(400);
  expect(bar.reach).toBeCloseTo(8000 / 26);
  expect([bar.measured, bar.shown, bar.interval]).toEqual([200, 200, 0]);
  expect(shareOf(bar, 200)).toBe(0.5);
});

test('memory is shown up to what the machine has, and reaches to the largest batch', () => {
  const bar = memoryBar(report, predictions, predictions.at(14));
  expect(bar).toEqual({ most: 5000, reach: 4200, measured: 1400, shown: 3000, interval: 400 });
});

test('without predictions throughput has no end, memory has', () => {
  expect(shareOf(throughputBar(report, null, null), 200)).toBe(0);
  expect(memoryBar(report, null, null).most).toBe(5000);
  expect(memoryBar(null, null, null).most).toBe(0);
});

test('shares stay on the bar', () => {
  const bar = memoryBar(report, predictions, null);
  expect([-5, 9e9].map((value) => shareOf(bar, value))).toEqual([0, 1]);
});
