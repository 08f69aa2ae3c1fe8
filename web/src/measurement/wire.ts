// What `measurement` messages hold: the JSON that `sightline measure --json` prints.
import type { Measured } from '../protocol';

export interface PassNumbers {
  forward: number;
  backward: number;
  optimizer: number;
}

export interface Work {
  macs: PassNumbers;
  /** Without what a causal mask throws away. */
  effective_macs: PassNumbers;
  flops: PassNumbers;
  bytes: PassNumbers;
}

export interface ParameterNumbers {
  total: number;
  trainable: number;
  frozen: number;
  buffers: number;
}

export interface TimeSummary {
  median: number;
  p10: number;
  p90: number;
  runs: number;
  confidence: number;
  /** The interval that holds the median with that chance; null for too few runs. */
  confidence_low: Measured;
  confidence_high: Measured;
}

/** One call of a module. */
export interface WireLayer extends Work {
  /** The position of the layer that called it plus one; 0 for the model. */
  parent: number;
  path: string;
  type: string;
  file: string;
  line: number;
  inputs: string;
  outputs: string;
  parameters: ParameterNumbers;
  parameter_bytes: number;
  /** Of its outputs. */
  activation_bytes: number;
  peak_bytes: Measured;
  /** What the times beside it come to. */
  time_ms: TimeSummary | null;
  times_ms: number[];
}

export interface Uncounted {
  name: string;
  calls: number;
  time_share: Measured;
}

/** All numbers are for the whole batch. */
export interface Measurement extends Work {
  model: string;
  inputs: string;
  /** 0: unknown. */
  batch_size: number;
  training_mode: boolean;
  parameters: ParameterNumbers;
  size_bytes: number;
  footprint_bytes: {
    weights: number;
    /** Above the weights and inputs, as is the other. */
    inference_peak: Measured;
    training_peak: Measured;
    computed: boolean;
  };
  execution_time_ms: TimeSummary | null;
  times_ms: number[];
  layers: WireLayer[];
  uncounted: Uncounted[];
}
