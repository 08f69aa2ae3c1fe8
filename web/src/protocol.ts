// The messages of docs/protocol.md, as far as the page reads them.
// Everything that comes from a run may be null where it was not measured.

export const PROTOCOL = 1;

export interface Hello {
  type: 'hello';
  protocol: number;
  version: string;
  mode: 'interactive' | 'view';
  project: string;
  root: string;
  entry: string | null;
  watching: boolean;
  runs: { name: string }[];
}

export type StateName =
  'idle' | 'stale' | 'queued' | 'importing' | 'measuring' | 'sampling' | 'done' | 'failed';

export interface State {
  type: 'state';
  state: StateName;
  analysis: number;
  text: string;
  shown: number | null;
  current: boolean;
}

export interface Breakdown {
  type: 'breakdown';
  analysis: number;
  cached: boolean;
  report: Report;
  tree: WireTree;
}

export interface ThroughputMessage {
  type: 'throughput';
  analysis: number;
  throughput: Throughput;
  findings: Finding[];
}

export interface Failure {
  type: 'failure';
  analysis: number;
  kind: string;
  what: string;
  file: string;
  line: number;
  remedy: string;
  details: string;
  output: string;
}

export interface Output {
  type: 'output';
  analysis: number;
  text: string;
}

export interface FilesChanged {
  type: 'files';
  changed: string[];
}

export interface ServerError {
  type: 'error';
  code: string;
  text: string;
}

export type ServerMessage =
  Hello | State | Breakdown | ThroughputMessage | Failure | Output | FilesChanged | ServerError;

export type ClientMessage =
  { type: 'hello'; protocol: number } | { type: 'analyse' } | { type: 'cancel' };

type Measured = number | null;

export interface Report {
  run: Record<string, string | number | boolean | null>;
  iteration: {
    wall_ms: Measured;
    median_ms: Measured;
    p95_ms: Measured;
    batch_size: Measured;
    samples_per_second: Measured;
    steps: Measured;
  };
  phases: Record<string, Measured>;
  lines: { file: string; line: number; source: string | null }[];
  memory: {
    peak_bytes: Measured;
    process_peak_bytes: Measured;
    capacity_bytes: Measured;
    at_peak: Record<string, Measured> | null;
  };
  throughput: Throughput | null;
  findings: Finding[];
  overhead: { step_percent: Measured; dropped: Measured } | null;
}

export interface Throughput {
  samples: { batch_size: number; iteration_ms: Measured; peak_bytes: Measured }[];
  run_time_model: { held_out_error_percent: Measured; linear: boolean | null } | null;
  limit_samples_per_second: Measured;
  max_batch_size: Measured;
  samples_per_second_at_max_batch: Measured;
}

export interface Finding {
  rule: string;
  severity: string;
  title: string;
  file: string;
  line: number;
  advice: string;
}

export interface WireFile {
  path: string;
  role: string;
  hash: string;
}

export interface WireTree {
  steps: number;
  files: WireFile[];
  functions: string[];
  modules: { path: string; type: string; parent: number }[];
  operators: string[];
  categories: string[];
  nodes: WireNodes;
  peak: { node: number[]; category: number[]; bytes: number[] };
}

export interface WireNodes {
  parent: number[];
  /** 0: a line, 1: a module that the line above called, 2: an operator. */
  kind: number[];
  file: number[];
  line: number[];
  function: number[];
  module: number[];
  operator: number[];
  forward_ns: number[];
  backward_ns: number[];
  python_ns: number[];
  optimizer_ns: number[];
  data_ns: number[];
  calls: number[];
  module_calls: number[];
  allocated_bytes: number[];
  peak_bytes: number[];
}

export interface Source {
  path: string;
  text: string;
  hash: string;
}
