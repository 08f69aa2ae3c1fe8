import type { WireTimeline } from './wire';

/** A small step for tests: one line forward and backward, another thread, and some memory. */
export function exampleTimeline(): WireTimeline {
  return {
    step: 5,
    steps: [3, 4, 5],
    duration_ns: 1000,
    threads: [
      { name: 'MainThread', training: true },
      { name: 'loader', training: false },
    ],
    lines: [
      { path: 'model.py', line: 2, function: 'Net.forward' },
      { path: 'train.py', line: 9, function: 'train' },
    ],
    modules: [{ path: 'conv', type: 'Conv2d' }],
    operators: ['aten::conv2d', 'aten::add', 'ConvolutionBackward0'],
    phases: ['data', 'forward', 'backward', 'optimizer', 'other'],
    // conv2d > add at the start, the backward of conv2d, an add of the optimizer; one elsewhere.
    events: {
      start_ns: [100, 150, 400, 800, 0],
      duration_ns: [200, 50, 300, 100, 1000],
      depth: [0, 1, 0, 0, 0],
      thread: [0, 0, 0, 0, 1],
      line: [0, 0, 0, 1, -1],
      operator: [0, 1, 2, 1, 1],
      module: [0, 0, 0, -1, -1],
      phase: [1, 1, 2, 3, 0],
    },
    memory: {
      exact: true,
      peak_bytes: 170,
      peak: 2,
      categories: ['parameters', 'activations', 'temporaries'],
      before: { category: [0], bytes: [100], line: [1] },
      changes: {
        time_ns: [100, 150, 160, 600],
        category: [1, 2, 2, 1],
        bytes: [50, 20, -20, -50],
        line: [0, 0, 0, 0],
      },
    },
  };
}
