// Made-up results of the example project examples/resnet, in the form of docs/protocol.md.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const EXAMPLE = new URL('../../examples/resnet/', import.meta.url);

export function projectFiles() {
  const read = (name) => readFileSync(new URL(name, EXAMPLE), 'utf8');
  return new Map([
    ['model.py', read('model.py')],
    ['train.py', read('train.py')],
    ['tools/<img src=x onerror=alert(1)>.py', 'print("a file with a hostile name")\n'],
  ]);
}

export const hashOf = (text) => createHash('sha256').update(text).digest('hex');

const AMOUNTS = [
  ['forward_ns', 'forward'],
  ['backward_ns', 'backward'],
  ['python_ns', 'python'],
  ['optimizer_ns', 'optimizer'],
  ['data_ns', 'data'],
  ['calls', 'calls'],
  ['module_calls', 'moduleCalls'],
  ['allocated_bytes', 'allocated'],
  ['peak_bytes', 'peak'],
];
const CATEGORIES = [
  'parameters',
  'buffers',
  'gradients',
  'optimizer',
  'activations',
  'inputs',
  'temporaries',
  'other',
];
const STEPS = 35;
const MS = 1e6;
const KIB = 1024;

/** Builds the columns of a tree, node by node. */
export class TreeBuilder {
  constructor(files) {
    const nodes = Object.fromEntries(AMOUNTS.map(([column]) => [column, []]));
    for (const column of ['parent', 'kind', 'file', 'line', 'function', 'module', 'operator']) {
      nodes[column] = [];
    }
    this.tree = {
      steps: STEPS,
      files: [...files].map(([path, text]) => ({ path, role: 'project', hash: hashOf(text) })),
      functions: [],
      modules: [],
      operators: [],
      categories: CATEGORIES,
      nodes,
      peak: { node: [], category: [], bytes: [] },
    };
  }

  module(path, type, parent) {
    return this.tree.modules.push({ path, type, parent }) - 1;
  }

  add(
    parent,
    {
      file = -1,
      line = 0,
      fn = '',
      module = -1,
      op = '',
      kind = op ? 2 : 0,
      category = 'activations',
      ...cost
    },
  ) {
    const { nodes, peak } = this.tree;
    const node = nodes.parent.length;
    nodes.parent.push(parent);
    nodes.kind.push(kind);
    nodes.file.push(file);
    nodes.line.push(line);
    nodes.function.push(this.interned('functions', fn));
    nodes.module.push(module);
    nodes.operator.push(this.interned('operators', op));
    for (const [column, key] of AMOUNTS) {
      const scale = column.endsWith('_ns') ? MS * STEPS : column === 'peak_bytes' ? 1 : STEPS;
      nodes[column].push(Math.round((cost[key] ?? 0) * scale));
    }
    if (cost.peak) {
      peak.node.push(node);
      peak.category.push(CATEGORIES.indexOf(category));
      peak.bytes.push(Math.round(cost.peak));
    }
    return node;
  }

  interned(list, text) {
    if (!text) return -1;
    const at = this.tree[list].indexOf(text);
    return at >= 0 ? at : this.tree[list].push(text) - 1;
  }
}

export function resnetTree(files, speed = 1) {
  const build = new TreeBuilder(files);
  const MODEL = 0;
  const TRAIN = 1;
  const root = build.add(-1, { python: 0.35 });
  const call = (parent, line, op, cost, fn = 'main') => {
    const node = build.add(parent, { file: TRAIN, line, fn, python: 0.05 });
    build.add(node, { file: TRAIN, line, fn, op, calls: 1, ...cost });
    return node;
  };
  const main = build.add(root, { file: TRAIN, line: 42, fn: '<module>', python: 0.3 });
  const net = build.module('', 'ResNet', -1);

  const forward = build.add(main, {
    file: TRAIN,
    line: 32,
    fn: 'main',
    python: 0.2,
    moduleCalls: 1,
  });
  const model = build.add(forward, {
    file: TRAIN,
    line: 32,
    fn: 'main',
    kind: 1,
    module: net,
    python: 0.1,
  });
  const layer = (parent, line, fn, owner, module, op, ms, kib) => {
    const caller = build.add(parent, { file: MODEL, line, fn, module: owner, moduleCalls: 1 });
    const node = build.add(caller, { file: MODEL, line, fn, module, kind: 1, python: 0.02 });
    const cost = {
      forward: ms * 0.33,
      backward: ms * 0.66,
      allocated: kib * 3 * KIB,
      peak: kib * KIB,
    };
    build.add(node, { file: MODEL, line, fn, module, op, calls: 1, ...cost });
  };
  const R = 'ResNet.forward';
  layer(model, 64, R, net, build.module('conv1', 'Conv2d', net), 'aten::conv2d', 0.6, 1024);
  layer(model, 65, R, net, build.module('bn1', 'BatchNorm2d', net), 'aten::batch_norm', 0.5, 1024);
  layer(model, 66, R, net, build.module('relu', 'ReLU', net), 'aten::relu_', 0.1, 0);
  [68, 69, 70].forEach((line, i) => {
    const name = `layer${i + 1}`;
    const sequence = build.module(name, 'Sequential', net);
    const at = { file: MODEL, line, fn: R };
    const caller = build.add(model, { ...at, module: net, python: 0.2, moduleCalls: 1 });
    const called = build.add(caller, { ...at, kind: 1, module: sequence });
    for (let block = 0; block < 2; block += 1) {
      const path = `${name}.${block}`;
      const owner = build.module(path, 'BasicBlock', sequence);
      const inside = build.add(called, { ...at, kind: 1, module: owner, python: 0.02 });
      const B = 'BasicBlock.forward';
      const size = 700 / 2 ** i;
      const part = (row, child, type, op, ms, kib) =>
        layer(inside, row, B, owner, build.module(`${path}.${child}`, type, owner), op, ms, kib);
      part(29, 'conv1', 'Conv2d', 'aten::conv2d', (2.9 - 0.5 * i) * speed, size);
      part(30, 'bn1', 'BatchNorm2d', 'aten::batch_norm', 0.4, size);
      part(31, 'relu', 'ReLU', 'aten::relu_', 0.1, 0);
      part(33, 'conv2', 'Conv2d', 'aten::conv2d', 2.9 - 0.5 * i, size);
      part(34, 'bn2', 'BatchNorm2d', 'aten::batch_norm', 0.4, size);
      if (i > 0 && block === 0) part(37, 'downsample', 'Sequential', 'aten::conv2d', 1.4, size);
      part(40, 'relu2', 'ReLU', 'aten::relu_', 0.11, size / 8);
    }
  });
  layer(
    model,
    72,
    R,
    net,
    build.module('avgpool', 'AdaptiveAvgPool2d', net),
    'aten::mean',
    0.13,
    0,
  );
  layer(model, 74, R, net, build.module('fc', 'Linear', net), 'aten::linear', 0.19, 3);

  call(main, 34, 'autograd engine', { backward: 0.64 });
  call(main, 35, 'aten::_foreach_add_', {
    optimizer: 1.4,
    calls: 3,
    peak: 685 * KIB,
    category: 'optimizer',
  });
  call(main, 31, 'aten::zero_', { optimizer: 0.29 });
  call(main, 28, 'aten::stack', { data: 0.3, peak: 192 * KIB, category: 'inputs' });
  call(main, 33, 'aten::cross_entropy_loss', { forward: 0.05, backward: 0.04 });
  call(main, 20, 'aten::randn', { peak: 7680 * KIB, category: 'other' });
  const weights = build.add(main, { file: MODEL, line: 8, fn: 'conv3x3' });
  build.add(weights, {
    file: MODEL,
    line: 8,
    fn: 'conv3x3',
    op: 'aten::empty',
    peak: 668 * KIB,
    category: 'parameters',
  });
  return build.tree;
}

/** As many nodes as asked for, six levels deep and of very different sizes. */
export function bigTree(files, size) {
  const build = new TreeBuilder(files);
  build.add(-1, { python: 1 });
  const net = build.module('', 'Big', -1);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let node = 1; node < size; node += 1) {
    const parent = node < 8 ? 0 : Math.floor((node - 1) / 6);
    const leaf = node * 6 + 1 >= size;
    const module = node % 40 === 0 ? build.module(`blocks.${node}`, 'Block', net) : net;
    const weight = random() ** 6;
    build.add(parent, {
      file: node % 2,
      line: 1 + (node % 40),
      fn: `Layer${node % 97}.forward`,
      module,
      op: leaf ? `aten::op_${node % 53}` : '',
      forward: leaf ? weight * 0.02 : 0,
      backward: leaf ? weight * 0.04 : 0,
      python: leaf ? 0 : 0.0005,
      calls: leaf ? 2 : 0,
      allocated: weight * 40960,
      peak: weight * 20480,
    });
  }
  return build.tree;
}
