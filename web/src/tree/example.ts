import type { WireTree } from '../protocol';

/** A small tree for tests: train.py:5 calls model.py:2 twice over, which calls itself once. */
export function exampleTree(): WireTree {
  const zero = Array<number>(8).fill(0);
  return {
    steps: 2,
    files: [
      { path: 'train.py', role: 'project', hash: 'a' },
      { path: 'model.py', role: 'project', hash: 'b' },
    ],
    functions: ['train', 'Net.forward'],
    modules: [
      { path: '', type: 'Net', parent: -1 },
      { path: 'conv', type: 'Conv2d', parent: 0 },
    ],
    operators: ['aten::conv2d', 'aten::relu'],
    categories: ['parameters', 'activations'],
    // step > train:5 > { model:2 > { conv2d, model:2 > relu }, model:3 > relu } and step > train:9
    nodes: {
      parent: [-1, 0, 1, 2, 2, 4, 1, 0],
      kind: [0, 0, 0, 2, 0, 2, 2, 0],
      file: [-1, 0, 1, 1, 1, 1, 1, 0],
      line: [0, 5, 2, 2, 2, 2, 3, 9],
      function: [-1, 0, 1, 1, 1, 1, 1, 0],
      module: [-1, -1, 0, 1, 0, 0, 0, -1],
      operator: [-1, -1, -1, 0, -1, 1, 1, -1],
      forward_ns: [0, 0, 0, 8e6, 0, 2e6, 4e6, 0],
      backward_ns: [0, 0, 0, 16e6, 0, 4e6, 2e6, 0],
      python_ns: [2e6, 2e6, 0, 0, 0, 0, 0, 0],
      optimizer_ns: [0, 0, 0, 0, 0, 0, 0, 10e6],
      data_ns: zero,
      calls: [0, 0, 0, 2, 0, 2, 2, 4],
      module_calls: [0, 2, 0, 0, 0, 0, 0, 0],
      allocated_bytes: [0, 0, 0, 4096, 0, 2048, 2048, 0],
      peak_bytes: [100, 0, 0, 600, 0, 200, 100, 0],
    },
    peak: {
      node: [0, 3, 3, 5, 6],
      category: [0, 0, 1, 1, 1],
      bytes: [100, 200, 400, 200, 100],
    },
  };
}
