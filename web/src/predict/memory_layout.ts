import { laidOutAgain, type Layout } from '../icicle/layout';
import type { CostTree } from '../tree/cost_tree';
import type { Columns } from '../tree/costs';
import { isHeld } from '../tree/held';
import { AS_MEASURED, scaledBytes, type Scale } from './scale';

export interface MemoryPicture {
  layout: Layout;
  /** Bytes of each category by node, children included. */
  categories: Float64Array[];
}

/** The boxes of the memory as they are predicted: those that hold activations grow, others do not. */
export function predictedMemory(
  tree: CostTree,
  measured: Layout,
  categories: string[],
  scale: Scale,
): MemoryPicture {
  if (scale === AS_MEASURED) return { layout: measured, categories: tree.categories };
  const peak = ({ peak, held }: Columns) =>
    peak.map((bytes, node) => scaledBytes(bytes, held[node], scale));
  return {
    layout: laidOutAgain(measured, { total: peak(tree.total), own: peak(tree.own) }),
    categories: tree.categories.map((column, i) => {
      const growth = isHeld(categories[i]) ? scale.held : scale.rest;
      return growth === 1 ? column : column.map((bytes) => bytes * growth);
    }),
  };
}
