import type { CostTree } from '../tree/cost_tree';
import type { Metric } from '../tree/costs';

export interface Matches {
  nodes: Set<number>;
  /** The share of the step that the matches have together; what lies in another match counts once. */
  share: Record<Metric, number>;
}

export function search(tree: CostTree, query: string): Matches | null {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return null;
  const nodes = new Set<number>();
  const covered = new Uint8Array(tree.size);
  const sum = { time: 0, memory: 0 };
  for (let node = 1; node < tree.size; node += 1) {
    const { name, function: called } = tree.labels[node];
    const hit = name.toLowerCase().includes(wanted) || called.toLowerCase().includes(wanted);
    if (hit) nodes.add(node);
    const above = covered[tree.parent[node]];
    if (hit && !above) {
      sum.time += tree.value.time.total[node];
      sum.memory += tree.value.memory.total[node];
    }
    covered[node] = hit || above ? 1 : 0;
  }
  return {
    nodes,
    share: {
      time: ratio(sum.time, tree.value.time.total[0]),
      memory: ratio(sum.memory, tree.value.memory.total[0]),
    },
  };
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
