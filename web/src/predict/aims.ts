import type { Report } from '../protocol';
import { bytes, count, perSecond } from '../text/format';
import type { Predictions } from './predictions';

/** The batch size that a drag leads to, and why it leads no further. */
export interface Aim {
  batchSize: number;
  resists: string;
}

/** A drag may lead to where nothing is predicted: then the nearest batch size is taken. */
export class Aims {
  constructor(
    private readonly predictions: Predictions,
    private readonly report: Report,
  ) {}

  batchSize(wanted: number): Aim {
    const whole = Math.round(wanted);
    if (whole > this.predictions.largest) return this.largest();
    return { batchSize: Math.max(1, whole), resists: '' };
  }

  throughput(wanted: number): Aim {
    const batchSize = this.predictions.batchSizeForThroughput(wanted);
    if (batchSize !== null) return { batchSize, resists: '' };
    const { best } = this.predictions;
    if (best.batchSize === this.predictions.largest) return this.largest();
    return {
      batchSize: best.batchSize,
      resists: `no batch that fits has more than ${perSecond(best.samplesPerSecond)} samples/s`,
    };
  }

  memory(wanted: number): Aim {
    const batchSize = this.predictions.batchSizeForMemory(wanted);
    if (batchSize === null) {
      const least = this.predictions.at(1).peakBytes;
      return { batchSize: 1, resists: `a batch of 1 needs ${bytes(least)} already` };
    }
    const { largest } = this.predictions;
    if (batchSize === largest && wanted > this.predictions.at(largest).peakBytes) {
      return this.largest();
    }
    return { batchSize, resists: '' };
  }

  private largest(): Aim {
    const { largest } = this.predictions;
    const most = this.report.throughput?.max_batch_size ?? null;
    const capacity = this.report.memory.capacity_bytes;
    const measured = most === null ? ', four times the largest batch that was measured' : '';
    return {
      batchSize: largest,
      resists:
        most === largest && capacity !== null
          ? `more than ${count(largest)} does not fit into ${bytes(capacity)}`
          : `predictions end at ${count(largest)}${measured}`,
    };
  }
}
