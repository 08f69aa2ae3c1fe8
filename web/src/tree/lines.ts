import { addTo, costAt, emptyCost, type Cost } from './costs';
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

/** Sums of the code tree by line, of the nodes at or below `root`. */
export function lineCosts(tree: CostTree, root = 0): LineCosts {
  const lines: LineCosts = new Map();
  const inside = new Uint8Array(tree.size);
  const parentsSeen = new Map<LineKey, Set<number>>();
  inside[root] = 1;
  for (let node = root; node < tree.size; node += 1) {
    if (node !== root && !inside[tree.parent[node]]) continue;
    inside[node] = 1;
    const key = keyOfNode(tree, node);
    if (key === null) continue;
    let line = lines.get(key);
    if (!line) {
      line = { key, own: emptyCost(), total: emptyCost(), parents: emptyCost(), nodes: [] };
      lines.set(key, line);
      parentsSeen.set(key, new Set());
    }
    line.nodes.push(node);
    addTo(line.own, tree.own, node);
    if (repeatsAbove(tree, node, root, key)) continue;
    addTo(line.total, tree.total, node);
    const seen = parentsSeen.get(key)!;
    const parent = tree.parent[node];
    if (parent >= 0 && !seen.has(parent)) {
      seen.add(parent);
      addTo(line.parents, tree.total, parent);
    }
  }
  return lines;
}

function repeatsAbove(tree: CostTree, node: number, root: number, key: LineKey): boolean {
  for (let at = node; at > root;) {
    at = tree.parent[at];
    if (keyOfNode(tree, at) === key) return true;
  }
  return false;
}

export function stepCost(tree: CostTree): Cost {
  return costAt(tree.total, 0);
}
