import type { WireTree } from '../protocol';

const HELD = new Set(['parameters', 'buffers', 'gradients', 'optimizer']);

/** Whether memory of this category is as large whatever the batch size. */
export function isHeld(category: string): boolean {
  return HELD.has(category);
}

/** Of what was alive at the peak, the bytes of each node that any batch size has. */
export function heldBytes({ nodes, categories, peak }: WireTree): Float64Array {
  const held = new Float64Array(nodes.parent.length);
  const counted = categories.map(isHeld);
  peak.node.forEach((node, i) => {
    if (counted[peak.category[i]]) held[node] += peak.bytes[i];
  });
  return held;
}
