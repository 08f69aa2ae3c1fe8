import type { Strips } from '../icicle/draw';
import { hueColour } from '../palette';
import { totalOf } from '../tree/costs';
import type { LayerTree } from './layer_tree';

export interface TypeStrips extends Strips {
  names: string[];
}

const COLOURED = 6;
export const OTHER_TYPES = 'other';

/** What the types of layers have of an amount; those that have most with a colour of their own. */
export function typeStrips(tree: LayerTree, own: Float64Array): TypeStrips {
  const byType = new Map<string, number>();
  tree.layers.forEach(({ type }, node) => byType.set(type, (byType.get(type) ?? 0) + own[node]));
  const ranked = [...byType].filter(([, sum]) => sum > 0).sort((a, b) => b[1] - a[1]);
  const names = ranked.slice(0, COLOURED).map(([type]) => type);
  const coloured = new Map(names.map((type, i) => [type, i]));
  const parts = names.map(() => new Float64Array(tree.size));
  const colours = names.map((_, i) => hueColour(i));
  if (ranked.length > COLOURED) {
    names.push(OTHER_TYPES);
    parts.push(new Float64Array(tree.size));
    colours.push('--memory-other');
  }
  tree.layers.forEach(({ type }, node) => {
    if (own[node] > 0) parts[coloured.get(type) ?? COLOURED][node] = own[node];
  });
  return { names, parts: parts.map((part) => totalOf(part, tree.parent)), colours };
}
