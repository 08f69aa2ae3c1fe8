import type { Measurement } from './wire';

export interface Spread {
  /** The tenth and the ninetieth percentile, the median and the runs, across a strip of that width. */
  from: number;
  to: number;
  median: number;
  runs: number[];
}

const WIDTH = 200;
const MARGIN = 4;
// Beyond this share of the median runs stand at the end of the strip.
const REACH = 3;

/** Where times stand between the fastest and the slowest; null without any. */
export function spreadOf({ times_ms, execution_time_ms }: Measurement): Spread | null {
  if (!execution_time_ms || times_ms.length === 0) return null;
  const { p10, p90, median } = execution_time_ms;
  const fastest = Math.min(p10, ...times_ms);
  const slowest = Math.min(Math.max(p90, ...times_ms), REACH * median);
  const scale = (WIDTH - 2 * MARGIN) / Math.max(slowest - fastest, Number.MIN_VALUE);
  const at = (ms: number) =>
    slowest > fastest ? MARGIN + (Math.min(ms, slowest) - fastest) * scale : WIDTH / 2;
  return { from: at(p10), to: at(p90), median: at(median), runs: times_ms.map(at) };
}
