import { costAt, sumOf, type Cost } from './costs';
import type { CostTree } from './cost_tree';

/** One number for a line of a file, to be a key of maps and sets. */
export type LineKey = number;

const LINES_PER_FILE = 1e7;

export function lineKey(file: number, line: number): LineKey {
  return file * LINES_PER_FILE + line;
}

export function fileOf(key: LineKey): number {
  return Math.floor(key / LINES_PER_FILE);
}

export function lineOf(key: LineKey): number {
  return key % LINES_PER_FILE;
}

export interface LineCost {
  key: LineKey;
  /** What was charged to the line as innermost line. */
  own: Cost;
  /** With what it called; a line that calls itself counts once. */
  total: Cost;
  /** Of the nodes that call the line. */
  parents: Cost;
  nodes: number[];
}

export type LineCosts = Map<LineKey, LineCost>;

export function keyOfNode(tree: CostTree, node: number): LineKey | null {
  const place = tree.labels[node].place;
  return place ? lineKey(place.file, place.line) : null;
}

/** The nodes of one line. */
interface Group {
  nodes: number[];
  /** Those that do not run inside another node of the line. */
  outermost: number[];
  callers: Set<number>;
}

/** Sums of the code tree by line, of the nodes at or below `root`. */
export function lineCosts(tree: CostTree, root = 0): LineCosts {
  const lines: LineCosts = new Map();
  for (const [key, { nodes, outermost, callers }] of groupByLine(tree, root)) {
    lines.set(key, {
      key,
      own: sumOf(tree.own, nodes),
      total: sumOf(tree.total, outermost),
      parents: sumOf(tree.total, callers),
      nodes,
    });
  }
  return lines;
}

const NO_LINE = -1;

function groupByLine(tree: CostTree, root: number): Map<LineKey, Group> {
  const groups = new Map<LineKey, Group>();
  const keys = new Float64Array(tree.size).fill(NO_LINE);
  const inside = new Uint8Array(tree.size);
  for (let node = root; node < tree.size; node += 1) {
    const parent = tree.parent[node];
    if (node !== root && !inside[parent]) continue;
    inside[node] = 1;
    const key = keyOfNode(tree, node);
    if (key === null) continue;
    keys[node] = key;
    let group = groups.get(key);
    if (!group) {
      group = { nodes: [], outermost: [], callers: new Set() };
      groups.set(key, group);
    }
    group.nodes.push(node);
    if (node !== root && repeatsAbove(tree, keys, parent, root, key)) continue;
    group.outermost.push(node);
    if (parent >= 0) group.callers.add(parent);
  }
  return groups;
}

function repeatsAbove(
  tree: CostTree,
  keys: Float64Array,
  parent: number,
  root: number,
  key: LineKey,
): boolean {
  for (let at = parent; at > root; at = tree.parent[at]) if (keys[at] === key) return true;
  return keys[root] === key;
}

export function stepCost(tree: CostTree): Cost {
  return costAt(tree.total, 0);
}
