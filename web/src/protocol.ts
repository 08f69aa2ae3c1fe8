// The messages of docs/protocol.md, as far as the page reads them.
// Everything that comes from a run may be null where it was not measured.

import type { Measurement } from './measurement/wire';

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
  runs: ListedRun[];
}

/** A run that can be asked for. */
export interface ListedRun {
  name: string;
  /** Where it holds no steps: what it does hold. */
  kind?: 'measurement';
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

/** What a model costs. */
export interface MeasurementMessage {
  type: 'measurement';
  measurement: Measurement;
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

/** The batch size as the code has it, and where. */
export interface BatchSize {
  type: 'batch_size';
  /** Null if it cannot be changed from here; `why_not` says why. */
  value: number | null;
  file: string;
  line: number;
  why_not: string;
  can_undo: boolean;
}

export interface FilesChanged {
  type: 'files';
  changed: string[];
}

interface RunFacts {
  started: string;
  step_ms: Measured;
  peak_bytes: Measured;
}

/** A result that there has been. */
export interface PastRun extends RunFacts {
  /** The number of its analysis; in a view the position of its file. */
  run: number;
  cached: boolean;
  /** Whether it can still be compared. */
  kept: boolean;
}

export interface History {
  type: 'history';
  runs: PastRun[];
}

/** A run file in the project's folder. */
export interface SavedRun extends RunFacts {
  run: string;
  name: string;
  /** It is being recorded. */
  growing: boolean;
  /** Why it cannot be compared; empty if it can. */
  problem: string;
}

export interface SavedRuns {
  type: 'saved_runs';
  /** The newest first. */
  runs: SavedRun[];
  /** How many older ones there are. */
  left_out: number;
}

/** A run that is being written has more of a training than before. */
export interface TrainingGrew {
  type: 'training';
  run: number;
}

export interface ServerError {
  type: 'error';
  code: string;
  text: string;
}

export type ServerMessage =
  | Hello
  | State
  | Breakdown
  | MeasurementMessage
  | ThroughputMessage
  | Failure
  | Output
  | BatchSize
  | FilesChanged
  | History
  | SavedRuns
  | TrainingGrew
  | ServerError;

export type ClientMessage =
  | { type: 'hello'; protocol: number }
  | { type: 'analyse' }
  | { type: 'cancel' }
  | { type: 'set_batch_size'; batch_size: number; expected: number | undefined }
  | { type: 'undo_batch_size' };

export type Measured = number | null;

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
    /** Of an accelerator; the others are of the host. */
    device_peak_bytes: Measured;
    device_capacity_bytes: Measured;
    at_peak: Record<string, Measured> | null;
    /** The part of `other` that is buffers. */
    buffers_bytes: Measured;
  };
  throughput: Throughput | null;
  findings: Finding[];
  overhead: { step_percent: Measured; settled: boolean; dropped: Measured } | null;
}

export interface Throughput {
  samples: { batch_size: number; iteration_ms: Measured; peak_bytes: Measured }[];
  run_time_model: { held_out_error_percent: Measured; linear: boolean | null } | null;
  limit_samples_per_second: Measured;
  max_batch_size: Measured;
  samples_per_second_at_max_batch: Measured;
  predictions: PredictionTable | null;
}

/** Columns by batch size, from 1 to the largest that is safe; straight between the rows. */
export interface PredictionTable {
  batch_size: number[];
  iteration_ms: number[];
  iteration_interval_ms: number[];
  peak_bytes: number[];
  peak_interval_bytes: number[];
}

export interface Finding {
  rule: string;
  severity: string;
  title: string;
  file: string;
  line: number;
  advice: string;
  evidence: Record<string, Measured>;
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
