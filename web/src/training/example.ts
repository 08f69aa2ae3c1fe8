import type { WireCurve, WireSeries, WireTraining, WireVerdict } from './wire';

/** A series for tests. */
export function exampleSeries(id: number, given: Partial<WireSeries> = {}): WireSeries {
  return {
    id,
    module: 'conv',
    tensor: 'weight',
    topic: 'weight_gradients',
    statistic: 'l2',
    points: 3,
    first_step: 0,
    last_step: 20,
    last: 3,
    min: 1,
    max: 3,
    ...given,
  };
}

export function exampleVerdict(given: Partial<WireVerdict> = {}): WireVerdict {
  return {
    rule: 'vanishing-gradient',
    severity: 'warning',
    step: 10,
    module: 'conv',
    tensor: 'weight',
    topic: 'weight_gradients',
    operator: '',
    file: 'model.py',
    line: 2,
    evidence: { l2: 1e-9 },
    sentence: 'The gradients are tiny.',
    advice: 'Try another initialisation.',
    ...given,
  };
}

export function exampleTraining(given: Partial<WireTraining> = {}): WireTraining {
  return {
    supervised: true,
    growing: false,
    steps: { first: 0, last: 20 },
    series: [exampleSeries(1)],
    histograms: [],
    epochs: [],
    verdicts: [],
    ...given,
  };
}

export function exampleCurve(
  step: number[],
  mean: (number | null)[],
  { id = 1, min = mean, max = mean }: Partial<WireCurve> = {},
): WireCurve {
  return { id, step, min, mean, max, non_finite: mean.map((value) => (value === null ? 1 : 0)) };
}
