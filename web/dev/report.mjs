// A report that agrees with a made-up tree.

const sum = (values) => values.reduce((total, value) => total + value, 0);

export function reportOf(tree, files) {
  const { nodes, steps } = tree;
  const ms = (column) => sum(nodes[column]) / steps / 1e6;
  const phases = {
    data_ms: ms('data_ns'),
    forward_ms: ms('forward_ns'),
    backward_ms: ms('backward_ns'),
    optimizer_ms: ms('optimizer_ns'),
    other_ms: ms('python_ns'),
  };
  const wall = sum(Object.values(phases));
  const at_peak = Object.fromEntries(tree.categories.map((name) => [name, 0]));
  tree.peak.bytes.forEach((bytes, i) => (at_peak[tree.categories[tree.peak.category[i]]] += bytes));
  return {
    format: 1,
    run: {
      version: '0.1.0',
      command: 'sightline interactive entry_point.py',
      started: '2026-05-04T10:00:00+00:00',
      device: 'cpu',
      threads: 2,
      framework: 'torch',
      framework_version: '2.13.0+cpu',
      python: '3.11.7',
    },
    iteration: {
      wall_ms: wall,
      median_ms: wall * 0.965,
      p95_ms: wall * 1.19,
      batch_size: 16,
      samples_per_second: 16000 / wall,
      steps,
    },
    phases,
    lines: linesOf(tree, files),
    memory: {
      peak_bytes: sum(nodes.peak_bytes),
      process_peak_bytes: 390246400,
      capacity_bytes: 25274793984,
      at_peak,
    },
    throughput: throughputOf(wall, 0),
    findings: FINDINGS,
    overhead: { step_percent: 3.2, dropped: 0 },
  };
}

function linesOf(tree, files) {
  const texts = tree.files.map(({ path }) => files.get(path).split('\n'));
  const seen = new Map();
  tree.nodes.file.forEach((file, node) => {
    const line = tree.nodes.line[node];
    if (file < 0) return;
    const source = (texts[file][line - 1] ?? '').trim();
    seen.set(`${file}:${line}`, { file: tree.files[file].path, line, source });
  });
  return [...seen.values()];
}

export function throughputOf(wall, measured) {
  const samples = [8, 16, 32, 64].slice(0, measured).map((batch_size) => ({
    batch_size,
    iteration_ms: wall * (0.2 + batch_size / 20),
    peak_bytes: 9e6 + batch_size * 1.1e6,
  }));
  const known = measured >= 3;
  return {
    samples,
    run_time_model: {
      slope_ms: known ? wall / 20 : null,
      intercept_ms: known ? wall * 0.2 : null,
      interval_percent: known ? 4.1 : null,
      held_out_error_percent: known ? 2.6 : null,
      linear: known ? true : null,
    },
    memory_model: { slope_bytes: null, intercept_bytes: null, linear: null },
    limit_samples_per_second: known ? 20000 / wall : null,
    max_batch_size: known ? 21430 : null,
    samples_per_second_at_max_batch: known ? 19300 / wall : null,
    predictions: predictionsOf(wall, known ? 21430 : 0),
  };
}

function predictionsOf(wall, largest) {
  const batch_size = [];
  for (let size = 1; size < largest; size = Math.max(size + 1, Math.floor(size * 1.15))) {
    batch_size.push(size);
  }
  if (largest > 0) batch_size.push(largest);
  const iteration_ms = batch_size.map((size) => wall * (0.2 + size / 20));
  const peak_bytes = batch_size.map((size) => 9e6 + size * 1.1e6);
  return {
    batch_size,
    iteration_ms,
    iteration_interval_ms: iteration_ms.map((ms) => ms * 0.041),
    peak_bytes,
    peak_interval_bytes: peak_bytes.map((bytes) => bytes * 0.01),
  };
}

const FINDINGS = [
  {
    rule: 'data-wait',
    severity: 'warning',
    title: 'the step waits 18 % of its time for data',
    file: 'train.py',
    line: 22,
    evidence: {},
    advice: 'Give the DataLoader workers: num_workers=2 hides the loading behind the step.',
  },
  {
    rule: 'larger-batch',
    severity: 'info',
    title: 'a batch of 64 would process 18 % more samples in a second',
    file: '',
    line: 0,
    evidence: { batch_size: 64 },
    advice: 'It needs 79.4 MiB at the peak. The figure is good to +- 4.1 %.',
  },
  {
    rule: 'memory-peak',
    severity: 'info',
    title: 'activations hold 16.3 MiB of the 26.7 MiB at the peak',
    file: 'model.py',
    line: 30,
    evidence: {},
    advice:
      'Activations grow with the batch: a smaller one, lower precision (autocast with bfloat16) or checkpointing needs less.',
  },
  {
    rule: 'hostile',
    severity: 'error',
    title: '<script>alert(1)</script> and \u202etxet desrever',
    file: 'model.py',
    line: 33,
    evidence: {},
    advice: 'Names come from code that nobody vetted: they must be shown as text.',
  },
];
