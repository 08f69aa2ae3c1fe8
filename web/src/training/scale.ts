import type { WireCurve } from './wire';

export type ScaleKind = 'linear' | 'log';

/** Where a value stands between the lower edge of a chart, 0, and the upper one, 1. */
export interface Scale {
  kind: ScaleKind;
  low: number;
  high: number;
}

/** Below this share of the largest value a logarithmic scale shows no more. */
const DECADES = 12;

interface Extent {
  low: number;
  high: number;
  lowestPositive: number;
}

function extentOf(curves: readonly WireCurve[]): Extent {
  const extent = { low: Infinity, high: -Infinity, lowestPositive: Infinity };
  for (const { min, max } of curves) {
    for (let at = 0; at < min.length; at += 1) {
      const [low, high] = [min[at], max[at]];
      if (low === null || high === null) continue;
      extent.low = Math.min(extent.low, low);
      extent.high = Math.max(extent.high, high);
      const positive = low > 0 ? low : high > 0 ? high : Infinity;
      extent.lowestPositive = Math.min(extent.lowestPositive, positive);
    }
  }
  return extent;
}

/** A scale that has all of the curves; a logarithmic one as far as they are above zero. */
export function scaleFor(curves: readonly WireCurve[], kind: ScaleKind): Scale {
  const { low, high, lowestPositive } = extentOf(curves);
  if (low > high) return { kind: 'linear', low: 0, high: 1 };
  if (kind === 'log' && high > 0) {
    const least = Math.max(lowestPositive, high * 10 ** -DECADES);
    return least < high ? { kind, low: least, high } : { kind, low: high / 10, high: high * 10 };
  }
  if (low < high) return { kind: 'linear', low, high };
  const around = Math.abs(low) || 1;
  return { kind: 'linear', low: low - around / 2, high: high + around / 2 };
}

/** Null where a logarithm has no place for it. */
export function placeOf({ kind, low, high }: Scale, value: number): number | null {
  if (kind === 'linear') return (value - low) / (high - low);
  if (value <= 0) return null;
  return Math.max(0, Math.log(value / low) / Math.log(high / low));
}

/** Values to write beside the axis: round ones, few enough to be read. */
export function ticksOf({ kind, low, high }: Scale, most: number): number[] {
  return kind === 'log' ? decades(low, high, most) : rounds(low, high, most);
}

function decades(low: number, high: number, most: number): number[] {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const every = Math.max(1, Math.ceil((to - from + 1) / most));
  const ticks: number[] = [];
  for (let power = from; power <= to; power += every) ticks.push(10 ** power);
  return ticks.length > 0 ? ticks : [high];
}

function rounds(low: number, high: number, most: number): number[] {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= least)!;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) ticks.push(at * step);
  return ticks;
}

/** Four digits at most; very large and very small ones in powers of ten. */
export function valueText(value: number | null | undefined): string {
  if (value === undefined) return '–';
  if (value === null) return 'not finite';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}
