// What the development server plays: each scenario speaks the messages of docs/protocol.md.

import { reportOf, throughputOf } from './report.mjs';
import { resnet18 } from './resnet18.mjs';
import { bigTree, resnetTree } from './sample.mjs';

const OUTPUT = 'loading data\nstep   0  loss 2.301\n\u001b[31mred?\u001b[0m <b>bold?</b>\n';

const DETAILS = `Traceback (most recent call last):
  File "/home/ann/resnet/train.py", line 24, in main
    model = ResNet().to(device)
  File "/home/ann/resnet/model.py", line 47, in __init__
    self.conv1 = conv3x3(3, 16)
  File "/usr/lib/python3/site-packages/torch/nn/modules/conv.py", line 456, in __init__
    raise ValueError("in_channels must be divisible by groups")
ValueError: in_channels must be divisible by groups`;

export const HELLO = {
  type: 'hello',
  protocol: 1,
  version: '0.1.0',
  mode: 'interactive',
  project: 'resnet',
  root: '/home/ann/resnet',
  entry: 'entry_point.py',
  watching: true,
  runs: [],
};

export const VIEW_HELLO = {
  ...HELLO,
  mode: 'view',
  entry: null,
  watching: false,
  runs: [{ name: 'before.sightline' }, { name: 'after.sightline' }],
};

export const MEASURED_HELLO = {
  ...VIEW_HELLO,
  project: 'resnet18',
  runs: [{ name: 'resnet18.sightline', kind: 'measurement' }],
};

export function measurement() {
  return { type: 'measurement', measurement: resnet18() };
}

export function state(name, analysis, text, shown, current) {
  return { type: 'state', state: name, analysis, text, shown, current };
}

export function batchSize(value, can_undo = false) {
  const place = { file: 'train.py', line: 12, why_not: '' };
  return { type: 'batch_size', value, ...place, can_undo };
}

const computed = {
  ...batchSize(null),
  why_not:
    'train.py:12: the batch size is computed when the program runs (int(os.environ["BATCH"])). Write a number there, and it can be changed from here',
};

export function breakdown(files, analysis, { size = 0, speed = 1 } = {}) {
  const tree = size ? bigTree(files, size) : resnetTree(files, speed);
  return { type: 'breakdown', analysis, cached: false, report: reportOf(tree, files), tree };
}

const failure = {
  type: 'failure',
  analysis: 2,
  kind: 'user_code',
  what: 'the model provider raised ValueError: in_channels must be divisible by groups',
  file: 'model.py',
  line: 47,
  remedy: 'Look at the line named here; the traceback has the calls that led to it.',
  details: DETAILS,
  output: OUTPUT,
};

const output = (analysis) => ({ type: 'output', analysis, text: OUTPUT });

/** Each returns a list of messages, with numbers in between for milliseconds to wait. */
export const SCENARIOS = {
  waiting: () => [HELLO, state('idle', 0, '', null, false)],
  importing: () => [
    HELLO,
    state('importing', 1, 'importing entry_point.py', null, false),
    output(1),
  ],
  done: (files) => [
    HELLO,
    state('done', 1, '', 1, true),
    batchSize(16),
    breakdown(files, 1),
    output(1),
    throughput(files, 4),
  ],
  computed: (files) => [
    HELLO,
    state('done', 1, '', 1, true),
    computed,
    breakdown(files, 1),
    throughput(files, 4),
  ],
  live: (files) => [
    HELLO,
    state('queued', 1, '', null, false),
    400,
    state('importing', 1, 'importing entry_point.py', null, false),
    1200,
    output(1),
    state('measuring', 1, 'measuring: 5 steps, 41.2 ms each, +- 2.1 %', null, false),
    1500,
    breakdown(files, 1),
    state('sampling', 1, 'batch size 8 of 4 sizes', 1, true),
    ...[1, 2, 3, 4].flatMap((measured) => [500, throughput(files, measured)]),
    state('done', 1, '', 1, true),
  ],
  stale: (files) => [
    HELLO,
    breakdown(files, 1),
    state('stale', 1, 'model.py has changed', 1, false),
  ],
  measuring: (files) => [
    HELLO,
    breakdown(files, 1),
    state('measuring', 2, 'measuring: 5 steps, 41.2 ms each, +- 2.1 %', 1, false),
  ],
  failed: (files) => [
    HELLO,
    state('failed', 2, failure.what, 1, false),
    breakdown(files, 1),
    failure,
    output(2),
  ],
  failedfirst: () => [HELLO, state('failed', 2, failure.what, null, false), failure, output(2)],
  mismatch: () => [
    { type: 'error', code: 'protocol', text: 'this server speaks protocol 2: reload the page' },
  ],
  big: (files) => [HELLO, state('done', 1, '', 1, true), breakdown(files, 1, { size: 20000 })],
  middle: (files) => [
    HELLO,
    state('done', 1, '', 1, true),
    batchSize(16),
    breakdown(files, 1, { size: 2000 }),
    throughput(files, 4),
  ],
  view: () => [VIEW_HELLO, state('done', 1, '', 1, true)],
  measurement: () => [MEASURED_HELLO, state('done', 1, '', 1, true)],
};

function throughput(files, measured) {
  const { report } = breakdown(files, 1);
  return {
    type: 'throughput',
    analysis: 1,
    throughput: throughputOf(report.iteration.wall_ms, measured),
    findings: report.findings,
  };
}
