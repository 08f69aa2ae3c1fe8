import type { Tree } from '../tree/cost_tree';

/** What gives boxes their width, and their heat: with children, and without. */
export interface Amounts {
  total: Float64Array;
  own: Float64Array;
}

/**
 * Where every box stands, in units of the amount and independent of zoom and width: it is computed
 * once for a tree. Children stand largest first, so what is too small to draw is always at the end.
 */
export interface Layout {
  tree: Tree;
  value: Float64Array;
  own: Float64Array;
  start: Float64Array;
  /** Children of n are order[first[n]] to order[first[n + 1] - 1]. */
  first: Int32Array;
  order: Int32Array;
  depth: number;
}

export interface Box {
  /** -1: several children, each too small to draw. */
  node: number;
  row: number;
  x: number;
  width: number;
}

const SMALLEST = 0.5;

export function layoutOf(tree: Tree, amounts: Amounts): Layout {
  return placed(tree, amounts, sortedChildren(tree, amounts.total));
}

/** The same tree with other amounts, for which children need not be found anew. */
export function laidOutAgain({ tree, first, order }: Layout, amounts: Amounts): Layout {
  const children = { first, order: order.slice() };
  largestFirst(children, amounts.total);
  return placed(tree, amounts, children);
}

type Children = Pick<Layout, 'first' | 'order'>;

function placed(tree: Tree, { total: value, own }: Amounts, { first, order }: Children): Layout {
  const start = new Float64Array(tree.size);
  let depth = 0;
  for (let node = 0; node < tree.size; node += 1) {
    if (value[node] > 0) depth = Math.max(depth, tree.depth[node]);
    let at = start[node];
    for (let i = first[node]; i < first[node + 1]; i += 1) {
      start[order[i]] = at;
      at += value[order[i]];
    }
  }
  return { tree, value, own, start, first, order, depth };
}

function sortedChildren(tree: Tree, value: Float64Array): Children {
  const first = new Int32Array(tree.size + 1);
  for (let node = 1; node < tree.size; node += 1) first[tree.parent[node] + 1] += 1;
  for (let node = 0; node < tree.size; node += 1) first[node + 1] += first[node];
  const next = first.slice();
  const order = new Int32Array(Math.max(0, tree.size - 1));
  for (let node = 1; node < tree.size; node += 1) order[next[tree.parent[node]]++] = node;
  largestFirst({ first, order }, value);
  return { first, order };
}

function largestFirst({ first, order }: Children, value: Float64Array): void {
  const inOrder = (a: number, b: number) => value[b] - value[a] || a - b;
  for (let node = 0; node + 1 < first.length; node += 1) {
    const [begin, end] = [first[node], first[node + 1]];
    for (let i = begin + 1; i < end; i += 1) {
      if (inOrder(order[i - 1], order[i]) <= 0) continue;
      order.subarray(begin, end).sort(inOrder);
      break;
    }
  }
}

/** The boxes wide enough to be seen when `root` fills the width. */
export function visibleBoxes(layout: Layout, root: number, width: number): Box[] {
  const { value, first, order } = layout;
  const boxes: Box[] = [];
  if (!(value[root] > 0) || width <= 0) return boxes;
  const scale = width / value[root];
  const stack: Box[] = [{ node: root, row: 0, x: 0, width }];
  for (let box = stack.pop(); box; box = stack.pop()) {
    boxes.push(box);
    if (box.node < 0) continue;
    let x = box.x;
    const end = first[box.node + 1];
    for (let i = first[box.node]; i < end; i += 1) {
      const size = value[order[i]] * scale;
      if (size < SMALLEST) {
        let rest = 0;
        for (let j = i; j < end; j += 1) rest += value[order[j]] * scale;
        if (rest >= SMALLEST) stack.push({ node: -1, row: box.row + 1, x, width: rest });
        break;
      }
      stack.push({ node: order[i], row: box.row + 1, x, width: size });
      x += size;
    }
  }
  return boxes;
}

/** Where one node's box is when `root` fills the width; null if it is not below `root`. */
export function boxOf(layout: Layout, root: number, node: number, width: number): Box | null {
  const { tree, value, start } = layout;
  const row = tree.depth[node] - tree.depth[root];
  if (row < 0 || !(value[root] > 0) || !(value[node] > 0)) return null;
  let at = node;
  for (let i = 0; i < row; i += 1) at = tree.parent[at];
  if (at !== root) return null;
  const scale = width / value[root];
  return { node, row, x: (start[node] - start[root]) * scale, width: value[node] * scale };
}

/** The node at a point, or -1. */
export function nodeAt(
  layout: Layout,
  root: number,
  width: number,
  x: number,
  row: number,
): number {
  const { value, start, first, order } = layout;
  if (!(value[root] > 0) || x < 0 || x >= width || row < 0) return -1;
  const at = start[root] + (x / width) * value[root];
  let node = root;
  for (let i = 0; i < row; i += 1) {
    let low = first[node];
    let high = first[node + 1] - 1;
    let found = -1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const child = order[middle];
      if (at < start[child]) high = middle - 1;
      else if (at >= start[child] + value[child]) low = middle + 1;
      else {
        found = child;
        break;
      }
    }
    if (found < 0) return -1;
    node = found;
  }
  return node;
}
