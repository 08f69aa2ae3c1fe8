import type { Span } from '../timeline/span';
import type { WireCurve } from './wire';
import { placeOf, scaleFor, type Scale, type ScaleKind } from './scale';

/** How many colours a heat map has. */
export const LEVELS = 24;
/** Of cells without a figure, and of those whose figure is not finite. */
export const EMPTY = -1;
export const BROKEN = -2;

export interface HeatMap {
  columns: number;
  rows: number;
  /** Row by row, each a level or one of the two above. */
  levels: Int8Array;
  scale: Scale;
}

/** Colours rows of curves by one scale, so that modules can be compared. */
export function heatOf(
  curves: readonly (WireCurve | null)[],
  span: Span,
  columns: number,
  kind: ScaleKind,
): HeatMap {
  const scale = scaleFor(
    curves.filter((curve) => curve !== null).map((curve) => ({ ...curve, ...means(curve) })),
    kind,
  );
  const levels = new Int8Array(columns * curves.length).fill(EMPTY);
  curves.forEach((curve, row) => {
    if (curve) fillRow(levels.subarray(row * columns, (row + 1) * columns), curve, span, scale);
  });
  return { columns, rows: curves.length, levels, scale };
}

const means = ({ mean }: WireCurve) => ({ min: mean, max: mean });

/** A figure holds until the next one. */
function fillRow(row: Int8Array, curve: WireCurve, span: Span, scale: Scale): void {
  const perColumn = (span.end - span.start) / row.length;
  const last = curve.step.length - 1;
  const usual = last > 0 ? (curve.step[last] - curve.step[0]) / last : 1;
  for (let at = 0; at <= last; at += 1) {
    const end = at < last ? curve.step[at + 1] : curve.step[at] + Math.max(1, usual);
    const from = Math.max(0, Math.floor((curve.step[at] - span.start) / perColumn));
    const to = Math.min(row.length, Math.max(from + 1, Math.ceil((end - span.start) / perColumn)));
    const level = curve.non_finite[at] > 0 ? BROKEN : levelOf(curve.mean[at], scale);
    for (let x = from; x < to; x += 1) {
      if (row[x] !== BROKEN) row[x] = level;
    }
  }
}

function levelOf(value: number | null, scale: Scale): number {
  if (value === null) return EMPTY;
  const place = placeOf(scale, value) ?? 0;
  return Math.min(LEVELS - 1, Math.max(0, Math.floor(place * LEVELS)));
}
