import type { Report } from '../protocol';
import { COLUMNS, PHASE_COLUMNS, type Column, type Cost, type Metric } from '../tree/costs';
import type { Prediction } from './predictions';

/** By how much costs are predicted to grow. Shares stay as they were measured. */
export type Scale = Record<Metric, number>;

export const AS_MEASURED: Scale = { time: 1, memory: 1 };

export function scaleOf(report: Report | null, prediction: Prediction | null): Scale {
  if (!report || !prediction) return AS_MEASURED;
  return {
    time: ratio(prediction.iterationMs, report.iteration.wall_ms),
    memory: ratio(prediction.peakBytes, report.memory.peak_bytes),
  };
}

function ratio(predicted: number, measured: number | null): number {
  return measured && measured > 0 ? predicted / measured : 1;
}

const TIMES = new Set<string>([...PHASE_COLUMNS, 'time', 'self']);
const AMOUNTS_OF_MEMORY = new Set<string>(['peak', 'memory', 'allocated']);

/** What the values of a column, of the tree or the table, grow by; calls stay as many. */
export function growthOf(column: string, scale: Scale): number {
  if (TIMES.has(column)) return scale.time;
  return AMOUNTS_OF_MEMORY.has(column) ? scale.memory : 1;
}

export function scaledCost(cost: Cost, scale: Scale): Cost {
  if (scale === AS_MEASURED) return cost;
  const scaled = {} as Record<Column, number>;
  for (const column of COLUMNS) scaled[column] = cost[column] * growthOf(column, scale);
  return scaled;
}
