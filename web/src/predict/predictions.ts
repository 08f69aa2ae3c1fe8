import type { PredictionTable } from '../protocol';

/** What a batch size would bring. Nine of ten measurements lie within the intervals around it. */
export interface Prediction {
  batchSize: number;
  iterationMs: number;
  iterationIntervalMs: number;
  peakBytes: number;
  peakIntervalBytes: number;
  samplesPerSecond: number;
  samplesPerSecondInterval: number;
}

const MS_PER_SECOND = 1000;
/** A batch size that is whole but for this is whole. */
const ROUNDING = 1e-9;

/**
 * The table of the server, which is straight between its rows, and its inverses. Time and memory
 * mostly grow with the batch, but nothing here relies on it.
 */
export class Predictions {
  readonly largest: number;
  /** The batch size with the most samples in a second: between two rows there is no better one. */
  readonly best: Prediction;

  constructor(private readonly table: PredictionTable) {
    this.largest = table.batch_size[table.batch_size.length - 1];
    this.best = table.batch_size
      .map((batchSize) => this.at(batchSize))
      .reduce((best, each) => (each.samplesPerSecond > best.samplesPerSecond ? each : best));
  }

  at(wanted: number): Prediction {
    const batchSize = Math.min(Math.max(1, wanted), this.largest);
    const row = this.rowBefore(batchSize);
    const iterationMs = this.between('iteration_ms', row, batchSize);
    const iterationIntervalMs = this.between('iteration_interval_ms', row, batchSize);
    const samplesPerSecond = rate(batchSize, iterationMs);
    return {
      batchSize,
      iterationMs,
      iterationIntervalMs,
      peakBytes: this.between('peak_bytes', row, batchSize),
      peakIntervalBytes: this.between('peak_interval_bytes', row, batchSize),
      samplesPerSecond,
      samplesPerSecondInterval:
        iterationMs > 0 ? (samplesPerSecond * iterationIntervalMs) / iterationMs : 0,
    };
  }

  /** The smallest batch size with this throughput; null if none has it. */
  batchSizeForThroughput(samplesPerSecond: number): number | null {
    const { batch_size: sizes, iteration_ms: times } = this.table;
    const row = sizes.findIndex((size, at) => rate(size, times[at]) >= samplesPerSecond);
    if (row <= 0) return row < 0 ? null : sizes[0];
    // batch / (intercept + slope * batch) = wanted
    const wanted = samplesPerSecond / MS_PER_SECOND;
    const slope = (times[row] - times[row - 1]) / (sizes[row] - sizes[row - 1]);
    const intercept = times[row] - slope * sizes[row];
    const reached = (wanted * intercept) / (1 - wanted * slope);
    if (!Number.isFinite(reached)) return sizes[row];
    const whole = Math.ceil(reached * (1 - ROUNDING));
    return Math.min(Math.max(whole, sizes[row - 1] + 1), sizes[row]);
  }

  /** The largest batch size that needs no more memory; null if all need more. */
  batchSizeForMemory(bytes: number): number | null {
    const { batch_size: sizes, peak_bytes: peaks } = this.table;
    const row = peaks.findLastIndex((peak) => peak <= bytes);
    if (row < 0) return null;
    if (row === sizes.length - 1) return this.largest;
    const share = (bytes - peaks[row]) / (peaks[row + 1] - peaks[row]);
    const reached = sizes[row] + share * (sizes[row + 1] - sizes[row]);
    return Math.floor(reached * (1 + ROUNDING));
  }

  private rowBefore(batchSize: number): number {
    const row = this.table.batch_size.findLastIndex((size) => size <= batchSize);
    return Math.max(0, Math.min(row, this.table.batch_size.length - 2));
  }

  private between(column: keyof PredictionTable, row: number, batchSize: number): number {
    const sizes = this.table.batch_size;
    const values = this.table[column];
    if (sizes.length === 1) return values[0];
    const share = (batchSize - sizes[row]) / (sizes[row + 1] - sizes[row]);
    return values[row] + share * (values[row + 1] - values[row]);
  }
}

function rate(batchSize: number, iterationMs: number): number {
  return iterationMs > 0 ? (MS_PER_SECOND * batchSize) / iterationMs : 0;
}

export function predictionsOf(table: PredictionTable | null | undefined): Predictions | null {
  return table && table.batch_size.length > 0 ? new Predictions(table) : null;
}
