import type { Span } from '../timeline/span';
import type { WireHistograms } from './wire';

/** Shares of the values of a step, in cells of equal height between two values. */
export interface Ridges {
  low: number;
  high: number;
  rows: number;
  step: number[];
  /** Step by step, the lowest cell first. */
  shares: Float64Array;
  /** The largest of them. */
  most: number;
}

/** The histograms of a span as cells: values are spread evenly within the bin that holds them. */
export function ridgesOf(histograms: WireHistograms, span: Span, rows: number): Ridges {
  const kept = histograms.step
    .map((_, at) => at)
    .filter((at) => isIn(histograms.step, at, span) && total(histograms.counts[at]) > 0);
  const [low, high] = boundsOf(kept.map((at) => histograms.edges[at]));
  const shares = new Float64Array(kept.length * rows);
  kept.forEach((at, column) => {
    const cells = shares.subarray(column * rows, (column + 1) * rows);
    spread(cells, histograms.edges[at], histograms.counts[at], low, high);
  });
  const most = shares.reduce((largest, share) => Math.max(largest, share), 0);
  return { low, high, rows, step: kept.map((at) => histograms.step[at]), shares, most };
}

/** A histogram is shown until the next one. */
function isIn(steps: readonly number[], at: number, { start, end }: Span): boolean {
  const next = at + 1 < steps.length ? steps[at + 1] : Infinity;
  return steps[at] <= end && next > start;
}

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function boundsOf(edges: readonly (number | null)[][]): [number, number] {
  const known = edges.flatMap((row) => [row[0], row[row.length - 1]]).filter((e) => e !== null);
  const low = known.reduce((least, edge) => Math.min(least, edge), Infinity);
  const high = known.reduce((most, edge) => Math.max(most, edge), -Infinity);
  if (low > high) return [0, 1];
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}

function spread(
  cells: Float64Array,
  edges: readonly (number | null)[],
  counts: readonly number[],
  low: number,
  high: number,
): void {
  const all = total(counts);
  const scale = cells.length / (high - low);
  counts.forEach((count, bin) => {
    const [from, to] = [edges[bin], edges[bin + 1]];
    if (count === 0 || from === null || to === null) return;
    const [begin, end] = [(from - low) * scale, Math.min(cells.length, (to - low) * scale)];
    const share = count / all;
    if (end - begin < 1e-9) {
      cells[Math.min(cells.length - 1, Math.max(0, Math.floor(begin)))] += share;
      return;
    }
    for (let cell = Math.max(0, Math.floor(begin)); cell < end; cell += 1) {
      const part = Math.min(end, cell + 1) - Math.max(begin, cell);
      cells[cell] += (share * part) / (end - begin);
    }
  });
}
