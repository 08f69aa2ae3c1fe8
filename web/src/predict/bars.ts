import type { Report } from '../protocol';
import type { Prediction, Predictions } from './predictions';

/** A bar to drag, in the unit of its card. */
export interface Bar {
  /** Where it ends; 0 if that is not known. */
  most: number;
  /** What the largest batch brings: it leads no further. */
  reach: number;
  measured: number;
  shown: number;
  /** How far a measurement may be from what is shown. */
  interval: number;
}

export function throughputBar(
  report: Report | null,
  predictions: Predictions | null,
  prediction: Prediction | null,
): Bar {
  const measured = report?.iteration.samples_per_second ?? 0;
  const best = predictions?.best.samplesPerSecond ?? 0;
  const limit = report?.throughput?.limit_samples_per_second ?? 0;
  return {
    most: predictions ? Math.max(limit, best, measured) : 0,
    reach: Math.max(best, measured),
    measured,
    shown: prediction?.samplesPerSecond ?? measured,
    interval: prediction?.samplesPerSecondInterval ?? 0,
  };
}

export function memoryBar(
  report: Report | null,
  predictions: Predictions | null,
  prediction: Prediction | null,
): Bar {
  const measured = report?.memory.peak_bytes ?? 0;
  const largest = predictions?.at(predictions.largest).peakBytes ?? 0;
  const capacity = report?.memory.capacity_bytes ?? 0;
  return {
    most: Math.max(capacity, largest),
    reach: predictions ? Math.max(largest, measured) : capacity,
    measured,
    shown: prediction?.peakBytes ?? measured,
    interval: prediction?.peakIntervalBytes ?? 0,
  };
}

/** How far along the bar a value stands, from 0 to 1. */
export function shareOf(bar: Bar, value: number): number {
  return bar.most > 0 ? Math.min(1, Math.max(0, value / bar.most)) : 0;
}
