import { costAt, sumAt, sumOf, type Cost, type Metric } from './costs';
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

/** A line of code. What it costs is summed when it is asked for: a tree has thousands of lines. */
export class LineCost {
  readonly nodes: number[] = [];
  /** Those that do not run inside another node of the line. */
  readonly outermost: number[] = [];

  constructor(
    readonly key: LineKey,
    private readonly tree: CostTree,
  ) {}

  /** What was charged to the line as innermost line. */
  get own(): Cost {
    return sumOf(this.tree.own, this.nodes);
  }

  /** With what it called; a line that calls itself counts once. */
  get total(): Cost {
    return sumOf(this.tree.total, this.outermost);
  }

  /** Of the nodes that call the line. */
  get parents(): Cost {
    const callers = new Set(this.outermost.map((node) => this.tree.parent[node]));
    callers.delete(NONE);
    return sumOf(this.tree.total, [...callers]);
  }

  ownValue(metric: Metric): number {
    return sumAt(this.tree.value[metric].own, this.nodes);
  }

  totalValue(metric: Metric): number {
    return sumAt(this.tree.value[metric].total, this.outermost);
  }
}

export type LineCosts = Map<LineKey, LineCost>;

export function keyOfNode(tree: CostTree, node: number): LineKey | null {
  const place = tree.labels[node].place;
  return place ? lineKey(place.file, place.line) : null;
}

const NONE = -1;

/** The lines of the code tree, of the nodes at or below `root`. */
export function lineCosts(tree: CostTree, root = 0): LineCosts {
  const lines: LineCosts = new Map();
  const keys = new Float64Array(tree.size).fill(NONE);
  const inside = new Uint8Array(tree.size);
  for (let node = root; node < tree.size; node += 1) {
    const parent = tree.parent[node];
    if (node !== root && !inside[parent]) continue;
    inside[node] = 1;
    const key = keyOfNode(tree, node);
    if (key === null) continue;
    keys[node] = key;
    let line = lines.get(key);
    if (!line) {
      line = new LineCost(key, tree);
      lines.set(key, line);
    }
    line.nodes.push(node);
    if (node === root || !repeatsAbove(tree, keys, parent, root, key)) line.outermost.push(node);
  }
  return lines;
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
