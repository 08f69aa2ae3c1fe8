// The columns with numbers of the table of layers.
import { quantity } from '../text/format';
import { amountOf, formatOf, intensityOf, type Pass, type Width } from './widths';
import type { WireLayer } from './wire';

export interface Column {
  id: Width | 'intensity';
  name: string;
  /** Of the exact number. */
  unit: string;
}

export const COLUMNS: Column[] = [
  { id: 'parameters', name: 'parameters', unit: '' },
  { id: 'macs', name: 'MACs', unit: 'MAC' },
  { id: 'flops', name: 'FLOPs', unit: 'FLOP' },
  { id: 'intensity', name: 'FLOP/B', unit: 'FLOP/B' },
  { id: 'activations', name: 'outputs', unit: 'B' },
  { id: 'time', name: 'time', unit: 'ms' },
];

export function cellValue(layer: WireLayer, { id }: Column, pass: Pass): number | null {
  return id === 'intensity' ? intensityOf(layer, pass) : amountOf(layer, id, pass);
}

export function cellText(value: number | null, { id }: Column): string {
  return id === 'intensity' ? quantity(value) : formatOf(id)(value);
}
