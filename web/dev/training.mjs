// A training that was never run, for the page alone.

const STEPS = 5000;
const COLUMNS = 300;
const MODULES = [
  'conv1',
  'layer1.0.conv1',
  'layer1.0.conv2',
  'layer2.0.conv1',
  'layer2.0.conv2',
  'fc',
];
const FIGURES = [
  ['weight_gradients', 'l2'],
  ['weights', 'absmax'],
  ['weight_updates', 'l2'],
];

const value = (module, figure, step) =>
  10 ** (module / 2 - figure - 2) *
  (1 + 2 * Math.exp(-step / 600) + 0.3 * Math.sin(step / 40 + module));

const names = FIGURES.flatMap(([topic, statistic], figure) =>
  MODULES.map((module, at) => ({ module, at, figure, topic, statistic })),
);

export function training() {
  const series = names.map(({ module, at, figure, topic, statistic }, id) => ({
    id: id + 1,
    module,
    tensor: 'weight',
    topic,
    statistic,
    points: STEPS,
    first_step: 0,
    last_step: STEPS - 1,
    last: value(at, figure, STEPS - 1),
    min: value(at, figure, STEPS - 1) / 2,
    max: value(at, figure, 0),
  }));
  return {
    supervised: true,
    growing: true,
    steps: { first: 0, last: STEPS - 1 },
    series,
    histograms: [{ id: 100, module: 'fc', tensor: 'weight', topic: 'weights' }],
    epochs: [0, 1, 2, 3, 4].map((epoch) => ({ epoch, step: epoch * 1000 })),
    verdicts: [
      {
        rule: 'vanishing-gradient',
        severity: 'warning',
        step: 1400,
        module: 'conv1',
        tensor: 'weight',
        topic: 'weight_gradients',
        operator: '',
        file: 'model.py',
        line: 12,
        evidence: { l2: 3.1e-6, threshold: 1e-5 },
        sentence: 'The gradients of the first layer are a ten-thousandth of those of the last.',
        advice: 'Try a residual connection, or another initialisation.',
      },
    ],
  };
}

function curve(id, from, to) {
  const { at, figure } = names[id - 1];
  const step = Array.from({ length: COLUMNS }, (_, i) =>
    Math.round(from + ((to - from) * i) / (COLUMNS - 1)),
  );
  const mean = step.map((each) => value(at, figure, each));
  return {
    id,
    step,
    mean,
    min: mean.map((each) => each * 0.85),
    max: mean.map((each) => each * 1.15),
    non_finite: step.map((each) => (id === 6 && each > 4200 && each < 4300 ? 1 : 0)),
  };
}

const range = (query) => [Number(query.get('from') ?? 0), Number(query.get('to') ?? STEPS - 1)];

export function curves(query) {
  const ids = (query.get('ids') ?? '').split(',').map(Number);
  return { series: ids.map((id) => curve(id, ...range(query))) };
}

export function heat(query) {
  const like = names[Number(query.get('series')) - 1];
  const rows = names
    .map(({ topic, statistic }, at) => ({ topic, statistic, id: at + 1 }))
    .filter(({ topic, statistic }) => topic === like.topic && statistic === like.statistic);
  return { rows: rows.map(({ id }) => curve(id, ...range(query))) };
}

export function histograms() {
  const step = Array.from({ length: 100 }, (_, at) => at * 50);
  const edges = Array.from({ length: 41 }, (_, at) => (at - 20) / 10);
  const bell = (at, wide) =>
    edges.slice(1).map((edge) => Math.round(1000 * Math.exp(-((edge - at) ** 2) / wide)));
  return {
    series: 100,
    step,
    edges: step.map(() => edges),
    counts: step.map((each) => bell(each / 8000, 0.1 + each / 4000)),
  };
}
