import type { WireTree } from '../protocol';
import { heldBytes } from './held';

/** What a node, a line or a module costs in one step: milliseconds, counts, bytes. */
export interface Cost {
  forward: number;
  backward: number;
  python: number;
  optimizer: number;
  data: number;
  calls: number;
  moduleCalls: number;
  allocated: number;
  peak: number;
  /** Of the peak, what is as large whatever the batch size. */
  held: number;
}

export type Column = keyof Cost;
export type Columns = Record<Column, Float64Array>;
export type Metric = 'time' | 'memory';

export const PHASE_COLUMNS = ['forward', 'backward', 'optimizer', 'data', 'python'] as const;

export const COLUMNS: readonly Column[] = [
  ...PHASE_COLUMNS,
  'calls',
  'moduleCalls',
  'allocated',
  'peak',
  'held',
];

const NS_PER_MS = 1e6;

export function emptyColumns(size: number): Columns {
  const columns = {} as Columns;
  for (const column of COLUMNS) columns[column] = new Float64Array(size);
  return columns;
}

/** A node's own amounts, per step. */
export function ownColumns(wire: WireTree): Columns {
  const { nodes } = wire;
  const per = 1 / Math.max(1, wire.steps);
  const scaled = (values: number[], factor: number) => {
    const column = new Float64Array(values);
    for (let node = 0; node < column.length; node += 1) {
      column[node] = Math.max(0, column[node] * factor);
    }
    return column;
  };
  return {
    forward: scaled(nodes.forward_ns, per / NS_PER_MS),
    backward: scaled(nodes.backward_ns, per / NS_PER_MS),
    python: scaled(nodes.python_ns, per / NS_PER_MS),
    optimizer: scaled(nodes.optimizer_ns, per / NS_PER_MS),
    data: scaled(nodes.data_ns, per / NS_PER_MS),
    calls: scaled(nodes.calls, per),
    moduleCalls: scaled(nodes.module_calls, per),
    allocated: scaled(nodes.allocated_bytes, per),
    peak: scaled(nodes.peak_bytes, 1),
    held: heldBytes(wire),
  };
}

/** Sums towards the root; parents come before their children. */
export function totalOf(own: Float64Array, parent: Int32Array): Float64Array {
  const total = own.slice();
  for (let node = total.length - 1; node > 0; node -= 1) total[parent[node]] += total[node];
  return total;
}

export function totalColumns(own: Columns, parent: Int32Array): Columns {
  const total = {} as Columns;
  for (const column of COLUMNS) total[column] = totalOf(own[column], parent);
  return total;
}

export function timeOf(cost: Cost): number {
  return cost.forward + cost.backward + cost.python + cost.optimizer + cost.data;
}

export function valueOf(cost: Cost, metric: Metric): number {
  return metric === 'time' ? timeOf(cost) : cost.peak;
}

function emptyCost(): Cost {
  return {
    forward: 0,
    backward: 0,
    python: 0,
    optimizer: 0,
    data: 0,
    calls: 0,
    moduleCalls: 0,
    allocated: 0,
    peak: 0,
    held: 0,
  };
}

export function costAt(columns: Columns, node: number): Cost {
  const cost = emptyCost();
  for (const column of COLUMNS) cost[column] = columns[column][node];
  return cost;
}

export function sumOf(columns: Columns, nodes: readonly number[]): Cost {
  const cost = emptyCost();
  for (const column of COLUMNS) cost[column] = sumAt(columns[column], nodes);
  return cost;
}

export function sumAt(values: Float64Array, nodes: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < nodes.length; at += 1) sum += values[nodes[at]];
  return sum;
}
