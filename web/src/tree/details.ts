import { scaledCost, type Scale } from '../predict/scale';
import { costAt, valueOf, type Cost, type Metric } from './costs';
import type { CostTree } from './cost_tree';
import { fileOf, lineOf, stepCost, type LineKey } from './lines';
import type { Grouping, Results } from './results';

/** What is said of a node or line that the pointer or the keyboard is on, at the batch size that is shown. */
export interface Details {
  title: string;
  subtitle: string;
  place: string;
  cost: Cost;
  own: Cost;
  ofStep: Record<Metric, number>;
  ofParent: Record<Metric, number> | null;
}

export function nodeDetails(results: Results, by: Grouping, node: number, scale: Scale): Details {
  const tree: CostTree = results.tree(by);
  const { name, kind, function: called, place } = tree.labels[node];
  const costOf = (of: number) => scaledCost(costAt(tree.total, of), scale);
  const cost = costOf(node);
  const parent = tree.parent[node];
  return {
    title: name,
    subtitle: called,
    place: kind !== 'line' && place ? placeText(results, place.file, place.line) : '',
    cost,
    own: scaledCost(costAt(tree.own, node), scale),
    ofStep: shares(cost, costOf(0)),
    ofParent: parent < 0 ? null : shares(cost, costOf(parent)),
  };
}

export function lineDetails(results: Results, key: LineKey, scale: Scale): Details | null {
  const line = results.lines.get(key);
  if (!line) return null;
  const called = results.code.labels[line.nodes[0]].function;
  const own = scaledCost(line.own, scale);
  const total = scaledCost(line.total, scale);
  return {
    title: placeText(results, fileOf(key), lineOf(key)),
    subtitle: called,
    place: '',
    cost: { ...total, calls: own.calls, moduleCalls: own.moduleCalls },
    own,
    ofStep: shares(total, scaledCost(stepCost(results.code), scale)),
    ofParent: shares(total, scaledCost(line.parents, scale)),
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
