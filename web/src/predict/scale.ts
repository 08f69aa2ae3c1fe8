import type { Report } from '../protocol';
import { PHASE_COLUMNS, type Cost } from '../tree/costs';
import { isHeld } from '../tree/held';
import type { Prediction } from './predictions';

/** By how much costs are predicted to grow. */
export interface Scale {
  /** All of a step alike: shares of time stay as they were measured. */
  time: number;
  /** Memory that any batch size has: 1, but where the prediction leaves no room for it. */
  held: number;
  /** All other memory, so that the sum is the predicted peak. */
  rest: number;
}

export const AS_MEASURED: Scale = { time: 1, held: 1, rest: 1 };

export function scaleOf(report: Report | null, prediction: Prediction | null): Scale {
  if (!report || !prediction) return AS_MEASURED;
  const measured = report.iteration.wall_ms ?? 0;
  return {
    time: measured > 0 ? prediction.iterationMs / measured : 1,
    ...memoryScale(report.memory, prediction.peakBytes),
  };
}

function memoryScale(memory: Report['memory'], predicted: number): Pick<Scale, 'held' | 'rest'> {
  const { held, rest } = partsOf(memory);
  if (held + rest <= 0) return { held: 1, rest: 1 };
  if (rest <= 0 || predicted < held) return { held: predicted / held, rest: 0 };
  return { held: 1, rest: (predicted - held) / rest };
}

function partsOf({ peak_bytes, at_peak, buffers_bytes }: Report['memory']) {
  const inCategories = Object.entries(at_peak ?? {})
    .filter(([category]) => isHeld(category))
    .reduce((sum, [, bytes]) => sum + (bytes ?? 0), buffers_bytes ?? 0);
  const held = Math.min(inCategories, peak_bytes ?? 0);
  return { held, rest: (peak_bytes ?? 0) - held };
}

/** The categories of the peak as they are predicted. Of `other` the buffers are held. */
export function scaledCategories(memory: Report['memory'], scale: Scale): [string, number][] {
  return Object.entries(memory.at_peak ?? {}).map(([category, measured]) => {
    const bytes = measured ?? 0;
    const buffers = category === 'other' ? Math.min(bytes, memory.buffers_bytes ?? 0) : 0;
    return [category, scaledBytes(bytes, isHeld(category) ? bytes : buffers, scale)];
  });
}

export function scaledBytes(bytes: number, held: number, scale: Scale): number {
  return held * scale.held + (bytes - held) * scale.rest;
}

/** Calls stay as many. What is allocated in a step grows with the batch. */
export function scaledCost(cost: Cost, scale: Scale): Cost {
  if (scale === AS_MEASURED) return cost;
  const scaled = {
    ...cost,
    allocated: cost.allocated * scale.rest,
    peak: scaledBytes(cost.peak, cost.held, scale),
    held: cost.held * scale.held,
  };
  for (const phase of PHASE_COLUMNS) scaled[phase] *= scale.time;
  return scaled;
}
