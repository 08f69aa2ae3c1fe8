import type { Span } from '../timeline/span';
import type { Measured } from '../protocol';
import type { WireCurve } from './wire';

/** The column of a curve that holds a step, or -1 where it has none so early. */
export function columnAt({ step }: WireCurve, at: number): number {
  let [from, to] = [0, step.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (step[middle] <= at) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Undefined where the curve has not begun. */
export function valueAt(curve: WireCurve, at: number): Measured | undefined {
  const column = columnAt(curve, at);
  return column < 0 ? undefined : curve.mean[column];
}

/** Steps from which on figures were not finite; each stretch once. */
export function notFinite(curve: WireCurve): number[] {
  const isBroken = (at: number) => curve.non_finite[at] > 0;
  return curve.step.filter((_, at) => isBroken(at) && (at === 0 || !isBroken(at - 1)));
}

/** The part of a curve that is shown, with the columns that lead into and out of it. */
export function within(curve: WireCurve, span: Span): WireCurve {
  const from = Math.max(0, columnAt(curve, span.start));
  const to = columnAt(curve, span.end) + 2;
  const { id, step, min, mean, max, non_finite } = curve;
  return {
    id,
    step: step.slice(from, to),
    min: min.slice(from, to),
    mean: mean.slice(from, to),
    max: max.slice(from, to),
    non_finite: non_finite.slice(from, to),
  };
}

/** A little more than is shown, so that a small move needs no new answer, in whole steps. */
export function askedSpan(span: Span, whole: Span): { from: number; to: number } {
  const margin = (span.end - span.start) / 4;
  return {
    from: Math.max(whole.start, Math.floor(span.start - margin)),
    to: Math.min(whole.end, Math.ceil(span.end + margin)),
  };
}
