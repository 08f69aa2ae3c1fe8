import { costAt, timeOf, type Cost, type Metric } from './costs';
import { isWithin } from './cost_tree';
import { fileOf, lineCosts, lineOf, type LineKey } from './lines';
import type { Grouping, Results } from './results';

/** A row of the table: a line or a module, of the part of the tree that is zoomed on. */
export interface Row {
  name: string;
  detail: string;
  node: number;
  key: LineKey | null;
  total: Cost;
  own: Cost;
}

export type SortColumn =
  'name' | 'time' | 'self' | 'forward' | 'backward' | 'python' | 'calls' | 'memory' | 'allocated';

export interface Sorting {
  column: SortColumn;
  descending: boolean;
}

export function rowsOf(results: Results, by: Grouping, root: number): Row[] {
  return by === 'code' ? lineRows(results, root) : moduleRows(results, root);
}

function lineRows(results: Results, root: number): Row[] {
  const lines = root === 0 ? results.lines : lineCosts(results.code, root);
  return Array.from(lines.values(), ({ key, own, total, nodes }) => ({
    name: `${results.wire.files[fileOf(key)].path}:${lineOf(key)}`,
    detail: results.code.labels[nodes[0]].function,
    node: nodes[0],
    key,
    total,
    own,
  }));
}

function moduleRows(results: Results, root: number): Row[] {
  const tree = results.tree('module');
  const rows: Row[] = [];
  for (let node = Math.max(1, root); node < tree.size; node += 1) {
    const total = costAt(tree.total, node);
    if (!isWithin(tree, node, root) || (timeOf(total) === 0 && total.peak === 0)) continue;
    const { name, function: type } = tree.labels[node];
    const detail = type === name ? '' : type;
    rows.push({ name, detail, node, key: null, total, own: costAt(tree.own, node) });
  }
  return rows;
}

export function amountOf(row: Row, column: Exclude<SortColumn, 'name'>): number {
  switch (column) {
    case 'time':
      return timeOf(row.total);
    case 'self':
      return timeOf(row.own);
    case 'memory':
      return row.total.peak;
    case 'calls':
      return row.own.calls;
    default:
      return row.total[column];
  }
}

export function sorted(rows: Row[], { column, descending }: Sorting): Row[] {
  const sign = descending ? -1 : 1;
  const compare = (a: Row, b: Row) =>
    column === 'name'
      ? a.name.localeCompare(b.name, undefined, { numeric: true })
      : amountOf(a, column) - amountOf(b, column);
  return [...rows].sort((a, b) => sign * compare(a, b));
}

export function matching(rows: Row[], query: string): Row[] {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return rows;
  return rows.filter(
    (row) => row.name.toLowerCase().includes(wanted) || row.detail.toLowerCase().includes(wanted),
  );
}

/** Paths of files, those that cost most first, then the others by name. */
export function filesByCost(results: Results | null, all: string[], metric: Metric): string[] {
  const cost = new Map<string, number>();
  for (const [key, line] of results?.lines ?? []) {
    const path = results!.wire.files[fileOf(key)].path;
    cost.set(path, (cost.get(path) ?? 0) + line.ownValue(metric));
  }
  const paths = [...new Set([...cost.keys(), ...all])];
  return paths.sort((a, b) => (cost.get(b) ?? -1) - (cost.get(a) ?? -1) || a.localeCompare(b));
}
