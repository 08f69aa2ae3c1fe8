import { bytes, duration, quantity } from '../text/format';
import { visible } from '../text/visible';
import type { LayerTree } from './layer_tree';
import { ofPass, type Pass } from './widths';

/** A layer in words, for those who hear the page. */
export function spokenLayer(tree: LayerTree | null, node: number, pass: Pass): string {
  if (!tree || node < 0 || node >= tree.size) return '';
  const { type, macs, parameters, activation_bytes, time_ms } = tree.layers[node];
  const { name } = tree.labels[node];
  return [
    `${visible(name)} ${name === type ? '' : visible(type)}`.trim(),
    quantity(ofPass(macs, pass), 'MAC'),
    `${quantity(parameters.total)} parameters`,
    `${bytes(activation_bytes)} of outputs`,
    time_ms ? duration(time_ms.median) : 'no time measured',
  ].join(', ');
}
