// The timeline of docs/protocol.md.

export interface WireLine {
  path: string;
  line: number;
  function: string;
}

export interface WireEvents {
  start_ns: number[];
  duration_ns: number[];
  depth: number[];
  thread: number[];
  line: number[];
  operator: number[];
  module: number[];
  phase: number[];
}

export interface WireHeld {
  category: number[];
  bytes: number[];
  line: number[];
}

export interface WireMemory {
  exact: boolean;
  peak_bytes: number;
  peak: number;
  categories: string[];
  before: WireHeld;
  changes: WireHeld & { time_ns: number[] };
}

export interface WireTimeline {
  step: number;
  steps: number[];
  duration_ns: number;
  threads: { name: string; training: boolean }[];
  lines: WireLine[];
  modules: { path: string; type: string }[];
  operators: string[];
  phases: string[];
  events: WireEvents;
  memory: WireMemory | null;
}
