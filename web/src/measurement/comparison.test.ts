import { expect, test } from 'vitest';
import { percentText } from '../runs/words';
import {
  layerRows,
  metricRows,
  type ComparedMetric,
  type MeasurementComparison,
} from './comparison';

const metric = (
  before: number | null,
  after: number | null,
  verdict: 'same' | 'better' | 'worse' | null = null,
): ComparedMetric => ({
  values: [before, after],
  changes: [
    null,
    verdict && {
      difference: after! - before!,
      percent: (100 * (after! - before!)) / before!,
      noise: 0,
      verdict,
    },
  ],
});

const comparison: MeasurementComparison = {
  differs: [],
  metrics: {
    parameters: metric(100, 90, 'better'),
    training_peak_bytes: metric(null, null),
    inference_peak_bytes: metric(null, 10),
    from_a_newer_server: metric(1, 2, 'worse'),
  },
  layers: [
    { path: '', type: 'Net', outputs: ['1', '1'], metrics: { macs: metric(90, 40, 'better') } },
    { path: 'd', type: 'D', outputs: ['1', '1'], metrics: { macs: metric(50, 40, 'better') } },
    { path: 'a', type: 'A', outputs: ['1', '1'], metrics: { macs: metric(5, 5, 'same') } },
    { path: 'b', type: 'B', outputs: [null, '1'], metrics: { macs: metric(null, 30) } },
    { path: 'c', type: 'C', outputs: ['1', null], metrics: { macs: metric(20, null) } },
  ],
};

test('figures that neither has, or that nobody knows, are left out', () => {
  expect(metricRows(comparison).map(({ id, change }) => [id, change.verdict])).toEqual([
    ['parameters', 'better'],
    ['inference_peak_bytes', null],
  ]);
});

test('layers that differ, are new or are gone come by the size of it', () => {
  const { changed, same } = layerRows(comparison, 'macs');
  expect(changed.map(({ name, change }) => [name, change.verdict])).toEqual([
    ['b', 'added'],
    ['c', 'removed'],
    ['d', 'better'],
  ]);
  expect(same).toBe(1);
});

test('a figure that layers do not have decides nothing', () => {
  const { changed, same } = layerRows(comparison, 'execution_time');
  expect(changed.map(({ name }) => name)).toEqual(['b', 'c']);
  expect(same).toBe(2);
});

test('a change in percent has a sign', () => {
  expect([12.34, -0.1234, 250, 0].map(percentText)).toEqual([
    '+12.3 %',
    '−0.12 %',
    '+250 %',
    '0.0 %',
  ]);
});
