import { expect, test } from 'vitest';
import type { Throughput } from '../protocol';
import { throughputText } from './throughput';

const nothing: Throughput = {
  samples: [],
  run_time_model: null,
  limit_samples_per_second: null,
  max_batch_size: null,
  samples_per_second_at_max_batch: null,
  predictions: null,
};

test('models are told as limit and largest batch', () => {
  const text = throughputText(
    { ...nothing, limit_samples_per_second: 483, max_batch_size: 21430 },
    false,
  );
  expect(text).toBe('limit 483/s · max batch 21\u2009430');
});

test('a largest batch of many digits is shortened', () => {
  const text = throughputText(
    { ...nothing, limit_samples_per_second: 24208365, max_batch_size: 28614311 },
    false,
  );
  expect(text).toBe('limit 24.2 M/s · max batch 28.6 M');
});

test('while batch sizes are tried, the number of them is told', () => {
  expect(throughputText(nothing, true)).toBe('trying batch sizes: 0 measured');
});

test('without other batch sizes there is nothing to say', () => {
  expect(throughputText(nothing, false)).toBe('');
  expect(throughputText(null, false)).toBe('');
});
