import type { Layout } from './layout';

export type Move = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

const MOVES = new Set<string>(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

export function isMove(key: string): key is Move {
  return MOVES.has(key);
}

/** The node that an arrow key leads to; the same node where there is no way. */
export function moved(layout: Layout, root: number, node: number, move: Move): number {
  const { tree, first, order, value } = layout;
  const child = first[node] < first[node + 1] ? order[first[node]] : -1;
  if (move === 'ArrowDown') return child >= 0 && value[child] > 0 ? child : node;
  if (node === root) return node;
  const parent = tree.parent[node];
  if (move === 'ArrowUp') return parent;
  const siblings = Array.from(order.subarray(first[parent], first[parent + 1])).filter(
    (sibling) => value[sibling] > 0,
  );
  const at = siblings.indexOf(node);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: siblings.length - 1 }[move];
  return siblings[to] ?? node;
}
