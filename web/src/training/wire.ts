import type { Measured } from '../protocol';

/** What was supervised of a training, as `api/training` says it. */
export interface WireTraining {
  supervised: boolean;
  /** Whether the run is still being written. */
  growing: boolean;
  steps: { first: number; last: number } | null;
  series: WireSeries[];
  /** Those of which there are histograms. */
  histograms: WireHistogramSeries[];
  epochs: { epoch: number; step: number }[];
  verdicts: WireVerdict[];
}

export interface WireSeriesName {
  module: string;
  tensor: string;
  topic: string;
}

export interface WireSeries extends WireSeriesName {
  id: number;
  statistic: string;
  points: number;
  first_step: number;
  last_step: number;
  last: Measured;
  min: Measured;
  max: Measured;
}

export interface WireHistogramSeries extends WireSeriesName {
  id: number;
}

export interface WireVerdict {
  rule: string;
  severity: string;
  step: number;
  module: string;
  tensor: string;
  topic: string;
  /** That made values which are not finite. */
  operator: string;
  file: string;
  line: number;
  evidence: Record<string, Measured>;
  sentence: string;
  advice: string;
}

/** A series in columns of equal length, each of some steps; null where no figure is finite. */
export interface WireCurve {
  id: number;
  step: number[];
  min: Measured[];
  mean: Measured[];
  max: Measured[];
  /** How many figures of a column are not finite. */
  non_finite: number[];
}

export interface WireCurves {
  series: WireCurve[];
}

/** For each kept step the bounds of its bins, and how many values lie between them. */
export interface WireHistograms {
  series: number;
  step: number[];
  edges: Measured[][];
  counts: number[][];
}

/** A training that is in the page itself. */
export interface EmbeddedTraining {
  overview: WireTraining;
  curves: WireCurves;
  histograms: WireHistograms[];
}
