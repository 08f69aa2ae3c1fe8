// What was measured of a model, figure by figure: the cards and the list read it.
import type { Measured } from '../protocol';
import { bytes, duration, exact, quantity } from '../text/format';
import { intensityOf } from './widths';
import type { Measurement } from './wire';

export type Unit =
  'elements' | 'MAC' | 'FLOP' | 'B' | 'FLOP/B' | 'ms' | 'runs' | 'calls' | 'samples/s' | 'FLOP/s';

export interface Figure {
  id: string;
  name: string;
  value: Measured;
  unit: Unit;
}

type Row = [id: string, name: string, value: Measured, unit: Unit];

export interface FigureGroup {
  name: string;
  figures: Figure[];
}

export function figureGroups(measurement: Measurement): FigureGroup[] {
  const group = (name: string, rows: Row[]): FigureGroup => ({
    name,
    figures: rows.map(([id, name, value, unit]) => ({ id, name, value, unit })),
  });
  return [
    group('Parameters', parameterRows(measurement)),
    group('Work', workRows(measurement)),
    group('Memory', memoryRows(measurement)),
    group('Execution time', timeRows(measurement)),
  ];
}

export function figuresOf(measurement: Measurement): Figure[] {
  return figureGroups(measurement).flatMap(({ figures }) => figures);
}

function parameterRows({ parameters, size_bytes }: Measurement): Row[] {
  return [
    ['parameters', 'parameters', parameters.total, 'elements'],
    ['trainable', 'trainable', parameters.trainable, 'elements'],
    ['frozen', 'frozen', parameters.frozen, 'elements'],
    ['buffers', 'buffers', parameters.buffers, 'elements'],
    ['size', 'size', size_bytes, 'B'],
  ];
}

function workRows(measurement: Measurement): Row[] {
  const { macs, effective_macs, flops, bytes: moved } = measurement;
  const backward = hasBackward(measurement);
  const ran = (value: number) => (backward ? value : null);
  return [
    ['macs', 'MACs, forward', macs.forward, 'MAC'],
    ['macs-backward', 'MACs, backward', ran(macs.backward), 'MAC'],
    ['effective-macs', 'MACs that no mask discards', effective_macs.forward, 'MAC'],
    ['flops', 'FLOPs, forward', flops.forward, 'FLOP'],
    ['flops-backward', 'FLOPs, backward', ran(flops.backward), 'FLOP'],
    ['flops-optimizer', 'FLOPs, optimizer', flops.optimizer || null, 'FLOP'],
    ['moved', 'bytes read and written, forward', moved.forward, 'B'],
    ['moved-backward', 'bytes read and written, backward', ran(moved.backward), 'B'],
    ['intensity', 'arithmetic intensity', intensityOf(measurement, 'forward'), 'FLOP/B'],
  ];
}

function memoryRows({ footprint_bytes }: Measurement): Row[] {
  const { weights, inference_peak, training_peak } = footprint_bytes;
  return [
    ['weights', 'weights', weights, 'B'],
    ['inference-peak', 'inference peak above them', inference_peak, 'B'],
    ['training-peak', 'training peak above them', training_peak, 'B'],
  ];
}

function timeRows(measurement: Measurement): Row[] {
  const { execution_time_ms: time, batch_size, flops } = measurement;
  const perSecond = (amount: number) =>
    time && time.median > 0 && amount > 0 ? (amount * 1000) / time.median : null;
  return [
    ['time', 'median', time?.median ?? null, 'ms'],
    ['time-p10', '10th percentile', time?.p10 ?? null, 'ms'],
    ['time-p90', '90th percentile', time?.p90 ?? null, 'ms'],
    ['runs', 'runs', time?.runs ?? null, 'runs'],
    ['throughput', 'throughput', perSecond(batch_size), 'samples/s'],
    ['speed', 'arithmetic in a second', perSecond(flops.forward), 'FLOP/s'],
  ];
}

export function hasBackward({ flops }: Measurement): boolean {
  return flops.backward > 0;
}

/** For people: three digits and a unit. */
export function shortText(value: Measured, unit: Unit): string {
  switch (unit) {
    case 'B':
      return bytes(value);
    case 'ms':
      return duration(value);
    case 'elements':
      return quantity(value);
    case 'FLOP/B':
    case 'runs':
    case 'calls':
      return value === null ? '–' : `${quantity(value)} ${unit}`;
    default:
      return quantity(value, unit);
  }
}

/** All digits of it. */
export function exactText(value: Measured, unit: Unit): string {
  return exact(value, unit);
}
