import { costAt, valueOf, type Cost, type Metric } from './costs';
import type { CostTree } from './cost_tree';
import { fileOf, lineOf, stepCost, type LineKey } from './lines';
import type { Grouping, Results } from './results';

/** What is said of a node or line that the pointer or the keyboard is on. */
export interface Details {
  title: string;
  subtitle: string;
  place: string;
  cost: Cost;
  own: Cost;
  ofStep: Record<Metric, number>;
  ofParent: Record<Metric, number> | null;
}

export function nodeDetails(results: Results, by: Grouping, node: number): Details {
  const tree: CostTree = results.tree(by);
  const { name, kind, function: called, place } = tree.labels[node];
  const cost = costAt(tree.total, node);
  const parent = tree.parent[node];
  return {
    title: name,
    subtitle: called,
    place: kind !== 'line' && place ? placeText(results, place.file, place.line) : '',
    cost,
    own: costAt(tree.own, node),
    ofStep: shares(cost, stepCost(tree)),
    ofParent: parent < 0 ? null : shares(cost, costAt(tree.total, parent)),
  };
}

export function lineDetails(results: Results, key: LineKey): Details | null {
  const line = results.lines.get(key);
  if (!line) return null;
  const called = results.code.labels[line.nodes[0]].function;
  return {
    title: placeText(results, fileOf(key), lineOf(key)),
    subtitle: called,
    place: '',
    cost: { ...line.total, calls: line.own.calls, moduleCalls: line.own.moduleCalls },
    own: line.own,
    ofStep: shares(line.total, stepCost(results.code)),
    ofParent: shares(line.total, line.parents),
  };
}

function placeText(results: Results, file: number, line: number): string {
  return `${results.wire.files[file].path}:${line}`;
}

function shares(part: Cost, whole: Cost): Record<Metric, number> {
  const share = (metric: Metric) => {
    const all = valueOf(whole, metric);
    return all > 0 ? valueOf(part, metric) / all : 0;
  };
  return { time: share('time'), memory: share('memory') };
}
