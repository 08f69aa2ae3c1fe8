// What `api/compare` answers of two measurements, as far as the page reads it.
import type { Measured } from '../protocol';
import { counts, type Change, type Verdict } from '../runs/comparison';
import type { Unit } from './figures';

/** One figure in both measurements; the second of the changes is that from the first. */
export interface ComparedMetric {
  values: Measured[];
  changes: (Pick<Change, 'difference' | 'percent' | 'noise' | 'verdict'> | null)[];
}

export interface ComparedLayer {
  path: string;
  type: string;
  /** Shapes; null where a measurement has no such layer. */
  outputs: (string | null)[];
  metrics: Record<string, ComparedMetric>;
}

export interface MeasurementComparison {
  differs: { what: string; before: string | null; after: string | null }[];
  metrics: Record<string, ComparedMetric>;
  layers: ComparedLayer[];
}

export interface MetricRow {
  id: string;
  name: string;
  unit: Unit;
  change: Change;
}

export interface LayerRow {
  name: string;
  type: string;
  change: Change;
}

const METRICS: Record<string, [name: string, unit: Unit]> = {
  parameters: ['parameters', 'elements'],
  trainable_parameters: ['trainable parameters', 'elements'],
  size_bytes: ['size', 'B'],
  macs: ['MACs, forward', 'MAC'],
  backward_macs: ['MACs, backward', 'MAC'],
  flops: ['FLOPs, forward', 'FLOP'],
  backward_flops: ['FLOPs, backward', 'FLOP'],
  moved_bytes: ['bytes read and written, forward', 'B'],
  inference_peak_bytes: ['inference peak above the weights', 'B'],
  training_peak_bytes: ['training peak above the weights', 'B'],
  execution_time: ['execution time, median', 'ms'],
  uncounted_calls: ['calls that are not counted', 'calls'],
};

/** What layers can be compared by, and its unit. */
export const LAYER_METRICS = {
  macs: ['MACs', 'MAC'],
  execution_time: ['Time', 'ms'],
  parameters: ['Parameters', 'elements'],
  activation_bytes: ['Outputs', 'B'],
} as const satisfies Record<string, readonly [string, Unit]>;

export type LayerMetric = keyof typeof LAYER_METRICS;

/** The figures that either of them has. */
export function metricRows({ metrics }: MeasurementComparison): MetricRow[] {
  return Object.entries(metrics).flatMap(([id, metric]) => {
    const change = changeIn(metric);
    if (!METRICS[id] || (change.before === null && change.after === null)) return [];
    const [name, unit] = METRICS[id];
    return [{ id, name, unit, change }];
  });
}

/**
 * The layers that are not the same in both, the largest difference first, and how many are. The
 * model itself is among the figures.
 */
export function layerRows(
  { layers }: MeasurementComparison,
  metric: LayerMetric,
): { changed: LayerRow[]; same: number } {
  const rows = layers
    .filter(({ path }) => path !== '')
    .map((layer) => ({
      name: layer.path,
      type: layer.type,
      change: changeOfLayer(layer, metric),
    }));
  const changed = rows.filter(({ change }) => counts(change));
  changed.sort((a, b) => sizeOf(b.change) - sizeOf(a.change));
  return { changed, same: rows.length - changed.length };
}

function changeIn(metric: ComparedMetric | undefined): Change {
  const [before = null, after = null] = metric?.values ?? [];
  const change = metric?.changes[1];
  return {
    before,
    after,
    difference: change?.difference ?? null,
    percent: change?.percent ?? null,
    noise: change?.noise ?? null,
    verdict: change?.verdict ?? null,
  };
}

function changeOfLayer({ outputs, metrics }: ComparedLayer, metric: LayerMetric): Change {
  const change = changeIn(metrics[metric]);
  const lone: Verdict | null =
    outputs[0] === null ? 'added' : outputs[1] === null ? 'removed' : null;
  return { ...change, verdict: lone ?? change.verdict };
}

function sizeOf({ before, after }: Change): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}
