// A measurement whose numbers can be checked by hand: two layers of one type, one of them called
// twice, and one of another.
import type { Measurement, PassNumbers, TimeSummary, WireLayer } from './wire';

const passes = (forward: number): PassNumbers => ({ forward, backward: 2 * forward, optimizer: 0 });

export function exampleTime(median: number, doubt: number | null = 0.1): TimeSummary {
  return {
    median,
    p10: median * 0.9,
    p90: median * 1.2,
    runs: 20,
    confidence: 0.95,
    confidence_low: doubt === null ? null : median - doubt,
    confidence_high: doubt === null ? null : median + doubt,
  };
}

interface Cost {
  macs?: number;
  bytes?: number;
  parameters?: number;
  outputs?: number;
  ms?: number | null;
}

export function exampleLayer(parent: number, path: string, type: string, cost: Cost): WireLayer {
  const { macs = 0, bytes = 100, parameters = 0, outputs = 0, ms = 1 } = cost;
  return {
    parent,
    path,
    type,
    file: 'net.py',
    line: 10 + parent,
    inputs: '2x3x8x8',
    outputs: '2x4x8x8',
    parameters: { total: parameters, trainable: parameters, frozen: 0, buffers: 0 },
    parameter_bytes: 4 * parameters,
    macs: passes(macs),
    effective_macs: passes(macs),
    flops: passes(2 * macs),
    bytes: passes(bytes),
    activation_bytes: outputs,
    peak_bytes: null,
    time_ms: ms === null ? null : exampleTime(ms),
    times_ms: [],
  };
}

/** Net calls body, which calls conv, again conv, and act; then Net calls head. */
export function exampleMeasurement(over: Partial<Measurement> = {}): Measurement {
  return {
    model: 'net.py',
    inputs: '2x3x8x8',
    batch_size: 2,
    training_mode: false,
    parameters: { total: 150, trainable: 150, frozen: 0, buffers: 8 },
    size_bytes: 632,
    macs: { forward: 1000, backward: 2000, optimizer: 0 },
    effective_macs: { forward: 1000, backward: 2000, optimizer: 0 },
    flops: { forward: 2000, backward: 4000, optimizer: 300 },
    bytes: { forward: 500, backward: 1000, optimizer: 600 },
    footprint_bytes: { weights: 632, inference_peak: 4096, training_peak: null, computed: true },
    execution_time_ms: exampleTime(10),
    times_ms: [9, 10, 11, 12],
    layers: [
      exampleLayer(0, '', 'Net', { macs: 1000, bytes: 500, parameters: 150, outputs: 80, ms: 10 }),
      exampleLayer(1, 'body', 'Body', { macs: 800, parameters: 100, outputs: 400, ms: 8 }),
      exampleLayer(2, 'body.conv', 'Conv2d', { macs: 400, parameters: 100, outputs: 200, ms: 6 }),
      exampleLayer(2, 'body.conv', 'Conv2d', { macs: 400, parameters: 100, outputs: 200, ms: 6 }),
      exampleLayer(2, 'body.act', 'ReLU', { outputs: 200, ms: null }),
      exampleLayer(1, 'head', 'Linear', { macs: 200, parameters: 50, outputs: 80, ms: 1 }),
    ],
    uncounted: [],
    ...over,
  };
}
