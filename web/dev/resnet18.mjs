// A measurement of ResNet-18, in the form of docs/protocol.md. Parameters and MACs follow from the
// shapes; times, memory and the other counts are made up.

const BACKWARD = 2;
const RUNS = 24;

/** Always the same numbers from 0 to 1. */
function generator(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return {
    median: at(0.5),
    p10: at(0.1),
    p90: at(0.9),
    runs: times.length,
    confidence: 0.95,
    confidence_low: at(0.3),
    confidence_high: at(0.7),
    noise: 'steady',
  };
}

class Builder {
  constructor({ batch, speed, seed }) {
    this.batch = batch;
    this.speed = speed;
    this.random = generator(seed);
    this.layers = [];
  }

  shape([channels, size]) {
    return size ? `${this.batch}x${channels}x${size}x${size}` : `${this.batch}x${channels}`;
  }

  elements([channels, size]) {
    return this.batch * channels * (size || 1) ** 2;
  }

  open(parent, path, type, line, input, output) {
    const zero = { macs: 0, flops: 0, bytes: 0, parameters: 0, buffers: 0, ms: 0 };
    this.layers.push({ parent, path, type, line, input, output, ...zero });
    return this.layers.length;
  }

  add(id, work) {
    for (let at = id; at > 0; at = this.layers[at - 1].parent) {
      const layer = this.layers[at - 1];
      for (const [key, value] of Object.entries(work)) layer[key] += value;
    }
  }

  /** A call of a module that calls no others. */
  call(parent, path, type, line, input, output, { macs = 0, flops = 0, ...more }) {
    const id = this.open(parent, path, type, line, input, output);
    const moved = 4 * (this.elements(input) + this.elements(output) + (more.parameters ?? 0));
    const ms = (macs / 6.5e7 + moved / 6e6) * this.speed * (0.85 + 0.3 * this.random()) + 0.004;
    this.add(id, { macs, flops: 2 * macs + flops, bytes: moved, ms, ...more });
    return output;
  }

  conv(parent, path, line, input, [channels, size], kernel) {
    const output = [channels, size];
    const parameters = kernel * kernel * input[0] * channels;
    const macs = parameters * size * size * this.batch;
    return this.call(parent, path, 'Conv2d', line, input, output, { macs, parameters });
  }

  norm(parent, path, line, input) {
    const [channels] = input;
    const work = { flops: 2 * this.elements(input), parameters: 2 * channels };
    return this.call(parent, path, 'BatchNorm2d', line, input, input, {
      ...work,
      buffers: 2 * channels + 1,
    });
  }

  relu(parent, path, line, input) {
    return this.call(parent, path, 'ReLU', line, input, input, { flops: this.elements(input) });
  }

  block(parent, path, input, output) {
    const id = this.open(parent, path, 'BasicBlock', 0, input, output);
    const at = (name) => `${path}.${name}`;
    let x = this.conv(id, at('conv1'), 92, input, output, 3);
    x = this.norm(id, at('bn1'), 93, x);
    x = this.relu(id, at('relu'), 94, x);
    x = this.conv(id, at('conv2'), 96, x, output, 3);
    x = this.norm(id, at('bn2'), 97, x);
    if (input[0] !== output[0]) {
      const down = this.open(id, at('downsample'), 'Sequential', 100, input, output);
      this.norm(
        down,
        at('downsample.1'),
        0,
        this.conv(down, at('downsample.0'), 0, input, output, 1),
      );
    }
    this.add(id, { flops: this.elements(x), bytes: 12 * this.elements(x), ms: 0.01 });
    return this.relu(id, at('relu'), 103, x);
  }

  times(ms) {
    return Array.from({ length: RUNS }, () => ms * (0.97 + 0.1 * this.random() ** 3));
  }

  finished(layer) {
    const passes = (forward) => ({ forward, backward: BACKWARD * forward, optimizer: 0 });
    const times_ms = this.times(layer.ms);
    return {
      parent: layer.parent,
      path: layer.path,
      type: layer.type,
      file: layer.line > 0 ? '/home/ann/vision/resnet.py' : '',
      line: layer.line,
      inputs: this.shape(layer.input),
      outputs: this.shape(layer.output),
      parameters: {
        total: layer.parameters,
        trainable: layer.parameters,
        frozen: 0,
        buffers: layer.buffers,
      },
      parameter_bytes: 4 * layer.parameters,
      macs: passes(layer.macs),
      effective_macs: passes(layer.macs),
      flops: passes(layer.flops),
      bytes: passes(layer.bytes),
      activation_bytes: 4 * this.elements(layer.output),
      peak_bytes: null,
      time_ms: summary(times_ms),
      times_ms,
    };
  }
}

/** `width` is the number of channels of the last stage. */
export function resnet18({ batch = 8, width = 512, speed = 1, seed = 1 } = {}) {
  const build = new Builder({ batch, speed, seed });
  const root = build.open(0, '', 'ResNet', 0, [3, 224], [1000, 0]);
  let x = build.conv(root, 'conv1', 268, [3, 224], [64, 112], 7);
  x = build.norm(root, 'bn1', 269, x);
  x = build.relu(root, 'relu', 270, x);
  x = build.call(root, 'maxpool', 'MaxPool2d', 271, x, [64, 56], {
    flops: 8 * build.elements([64, 56]),
  });
  [
    [64, 56],
    [128, 28],
    [256, 14],
    [width, 7],
  ].forEach((output, i) => {
    const path = `layer${i + 1}`;
    const stage = build.open(root, path, 'Sequential', 273 + i, x, output);
    x = build.block(stage, `${path}.0`, x, output);
    x = build.block(stage, `${path}.1`, x, output);
  });
  x = build.call(root, 'avgpool', 'AdaptiveAvgPool2d', 278, x, [width, 0], {
    flops: build.elements(x),
  });
  const parameters = width * 1000 + 1000;
  build.call(root, 'fc', 'Linear', 280, x, [1000, 0], {
    macs: width * 1000 * batch,
    flops: 1000 * batch,
    parameters,
  });
  return measurementOf(build);
}

function measurementOf(build) {
  const layers = build.layers.map((layer) => build.finished(layer));
  const [model] = layers;
  const weights = 4 * model.parameters.total + 4 * model.parameters.buffers;
  const { macs, effective_macs, flops, bytes, parameters } = model;
  return {
    format: 1,
    kind: 'measurement',
    model: 'resnet18.py',
    inputs: model.inputs,
    batch_size: build.batch,
    training_mode: false,
    parameters,
    size_bytes: weights,
    macs,
    effective_macs,
    flops: { ...flops, optimizer: 2 * parameters.total },
    bytes: { ...bytes, optimizer: 12 * parameters.total },
    footprint_bytes: {
      weights,
      inference_peak: 9633792 * build.batch,
      training_peak: 2 * weights + 23030000 * build.batch,
      computed: false,
    },
    execution_time_ms: model.time_ms,
    times_ms: model.times_ms,
    layers,
    uncounted: [
      { name: 'vision::nms_kernel', calls: 3, time_share: 0.0213 },
      { name: 'mine::quantize <img src=x onerror=alert(1)>', calls: 1, time_share: null },
    ],
  };
}
