import type { PredictionTable, Report } from '../protocol';

/** For tests: 10 ms and 2 ms a sample, 1000 bytes and 100 a sample, with a bend in both at 8. */
export function exampleTable(): PredictionTable {
  return {
    batch_size: [1, 2, 4, 8, 20],
    iteration_ms: [12, 14, 18, 26, 74],
    iteration_interval_ms: [1, 1, 1, 1, 7],
    peak_bytes: [1100, 1200, 1400, 1800, 4200],
    peak_interval_bytes: [0, 0, 0, 100, 700],
  };
}

/** For tests: the run that the table belongs to. */
export function exampleReport(): Report {
  return {
    run: {},
    iteration: { wall_ms: 20, batch_size: 4, samples_per_second: 200, median_ms: 20 },
    memory: { peak_bytes: 1400, capacity_bytes: 5000 },
    throughput: {
      samples: [],
      limit_samples_per_second: 400,
      max_batch_size: 20,
      predictions: exampleTable(),
    },
  } as unknown as Report;
}
