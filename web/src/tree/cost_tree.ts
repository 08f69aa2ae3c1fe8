import { PHASE_COLUMNS, type Columns, type Metric, totalColumns, totalOf } from './costs';

export interface Place {
  file: number;
  line: number;
}

/** What the icicle, the table and the search know of a node. */
export interface Label {
  name: string;
  kind: 'step' | 'line' | 'operator' | 'module' | 'rest';
  function: string;
  place: Place | null;
}

/** Node 0 is the whole; parents come before children. */
export interface Tree {
  size: number;
  parent: Int32Array;
  depth: Int32Array;
  labels: Label[];
}

/** A tree of costs, by code or by module. Node 0 is the step. */
export interface CostTree extends Tree {
  own: Columns;
  total: Columns;
  /** The amount that gives a box its width. */
  value: Record<Metric, { own: Float64Array; total: Float64Array }>;
  /** Memory at the peak by category, children included. */
  categories: Float64Array[];
}

export interface Shape {
  parent: Int32Array;
  labels: Label[];
  own: Columns;
  ownCategories: Float64Array[];
}

export function costTree({ parent, labels, own, ownCategories }: Shape): CostTree {
  const size = parent.length;
  const total = totalColumns(own, parent);
  return {
    size,
    parent,
    depth: depthOf(parent),
    labels,
    own,
    total,
    value: {
      time: { own: timeColumn(own, size), total: timeColumn(total, size) },
      memory: { own: own.peak, total: total.peak },
    },
    categories: ownCategories.map((bytes) => totalOf(bytes, parent)),
  };
}

function timeColumn(columns: Columns, size: number): Float64Array {
  const time = new Float64Array(size);
  for (const phase of PHASE_COLUMNS) {
    const values = columns[phase];
    for (let node = 0; node < size; node += 1) time[node] += values[node];
  }
  return time;
}

export function depthOf(parent: Int32Array): Int32Array {
  const depth = new Int32Array(parent.length);
  for (let node = 1; node < parent.length; node += 1) depth[node] = depth[parent[node]] + 1;
  return depth;
}

export function pathTo(tree: Tree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = tree.parent[at]) path.unshift(at);
  return path;
}

export function isWithin(tree: Tree, node: number, ancestor: number): boolean {
  let at = node;
  while (at > ancestor) at = tree.parent[at];
  return at === ancestor;
}

function sameName(a: Label, b: Label): boolean {
  return a.name === b.name && a.function === b.function;
}

/** The node of another tree that stands at the same place, or the nearest above that does. */
export function samePlace(from: CostTree, node: number, to: CostTree): number {
  let found = 0;
  for (const step of pathTo(from, node).slice(1)) {
    let next = -1;
    for (let child = found + 1; child < to.size && next < 0; child += 1) {
      if (to.parent[child] === found && sameName(to.labels[child], from.labels[step])) next = child;
    }
    if (next < 0) return found;
    found = next;
  }
  return found;
}
