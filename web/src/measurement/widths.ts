import type { Amounts } from '../icicle/layout';
import { bytes, duration, quantity } from '../text/format';
import { totalOf } from '../tree/costs';
import type { LayerTree } from './layer_tree';
import type { PassNumbers, WireLayer, Work } from './wire';

/** What can give the layers' boxes their width. */
export type Width = 'macs' | 'flops' | 'time' | 'parameters' | 'activations';
export type Pass = 'forward' | 'backward' | 'all';

export const WIDTHS: [Width, string][] = [
  ['macs', 'MACs'],
  ['flops', 'FLOPs'],
  ['time', 'Time'],
  ['parameters', 'Parameters'],
  ['activations', 'Activations'],
];

export const PASSES: [Pass, string][] = [
  ['forward', 'Forward'],
  ['backward', 'Backward'],
  ['all', 'All passes'],
];

export function ofPass(numbers: PassNumbers, pass: Pass): number {
  if (pass !== 'all') return numbers[pass];
  return numbers.forward + numbers.backward + numbers.optimizer;
}

/** Arithmetic for every byte that is read or written; null where none is. */
export function intensityOf({ flops, bytes }: Work, pass: Pass): number | null {
  const moved = ofPass(bytes, pass);
  return moved > 0 ? ofPass(flops, pass) / moved : null;
}

/** As it was measured of the layer; null where it was not. */
export function amountOf(layer: WireLayer, width: Width, pass: Pass): number | null {
  switch (width) {
    case 'macs':
      return ofPass(layer.macs, pass);
    case 'flops':
      return ofPass(layer.flops, pass);
    case 'time':
      return layer.time_ms?.median ?? null;
    case 'parameters':
      return layer.parameters.total;
    case 'activations':
      return layer.activation_bytes;
  }
}

export function formatOf(width: Width): (amount: number | null) => string {
  switch (width) {
    case 'macs':
      return (amount) => quantity(amount, 'MAC');
    case 'flops':
      return (amount) => quantity(amount, 'FLOP');
    case 'time':
      return duration;
    case 'parameters':
      return (amount) => quantity(amount);
    case 'activations':
      return bytes;
  }
}

/**
 * Amounts that fit into one another. Those of layers need not: times are medians of their own, a
 * parameter that two layers share is in both, and outputs are a layer's own. Where layers have more
 * than what called them they are drawn smaller, each by the same factor.
 */
export function amountsOf(tree: LayerTree, width: Width, pass: Pass): Amounts {
  const given = width === 'activations' ? innermost(tree) : measured(tree, width, pass);
  const total = filled(tree, given);
  const own = new Float64Array(tree.size);
  for (let node = 0; node < tree.size; node += 1) {
    const inside = sum(tree.children[node], total);
    const fit = inside > total[node] ? total[node] / inside : 1;
    for (const child of tree.children[node]) total[child] *= fit;
    own[node] = Math.max(0, total[node] - inside * fit);
  }
  return { total, own };
}

/** Outputs of layers that call no others: what calls them mostly hands on the last of them. */
function innermost(tree: LayerTree): Float64Array {
  const own = Float64Array.from(tree.layers, (layer, node) =>
    tree.children[node].length === 0 ? layer.activation_bytes : 0,
  );
  return totalOf(own, tree.parent);
}

/** Parameters of a module that is called again were counted at its first call. */
function measured(tree: LayerTree, width: Width, pass: Pass): Float64Array {
  return Float64Array.from(tree.layers, (layer, node) =>
    width === 'parameters' && tree.call[node] > 1 ? 0 : (amountOf(layer, width, pass) ?? 0),
  );
}

/** Where nothing is known of a layer but of those that it calls, it has what they have. */
function filled(tree: LayerTree, given: Float64Array): Float64Array {
  const total = given.slice();
  for (let node = tree.size - 1; node >= 0; node -= 1) {
    if (total[node] === 0) total[node] = sum(tree.children[node], total);
  }
  return total;
}

function sum(nodes: number[], values: Float64Array): number {
  let whole = 0;
  for (const node of nodes) whole += values[node];
  return whole;
}
