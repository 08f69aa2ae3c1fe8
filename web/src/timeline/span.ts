/** The part that is shown: of a step in nanoseconds, of a training in steps. */
export interface Span {
  start: number;
  end: number;
}

/** Closer than this many nanoseconds there is nothing to see. */
const SHORTEST = 200;

export function lengthOf({ start, end }: Span): number {
  return end - start;
}

function placed(start: number, length: number, whole: Span): Span {
  const from = Math.min(Math.max(start, whole.start), whole.end - length);
  return { start: from, end: from + length };
}

/** Shows `factor` times as much, with what is at `at` where it was. */
export function zoomed(
  span: Span,
  whole: Span,
  factor: number,
  at: number,
  shortest = SHORTEST,
): Span {
  const most = lengthOf(whole);
  const length = Math.min(most, Math.max(Math.min(shortest, most), lengthOf(span) * factor));
  const share = (at - span.start) / lengthOf(span);
  return placed(at - share * length, length, whole);
}

export function panned(span: Span, whole: Span, by: number): Span {
  return placed(span.start + by, lengthOf(span), whole);
}

/** The span, or if the time is not in it one as long with the time in its middle. */
export function showing(span: Span, whole: Span, from: number, to: number): Span {
  if (to >= span.start && from <= span.end) return span;
  return panned(span, whole, (from + to) / 2 - (span.start + span.end) / 2);
}

const KEY_ZOOM = 0.7;
const KEY_PAN = 0.15;

/** W and S zoom, A and D pan, as in Perfetto; null for other keys. */
export function moved(
  span: Span,
  whole: Span,
  key: string,
  at: number,
  shortest = SHORTEST,
): Span | null {
  switch (key.toLowerCase()) {
    case 'w':
      return zoomed(span, whole, KEY_ZOOM, at, shortest);
    case 's':
      return zoomed(span, whole, 1 / KEY_ZOOM, at, shortest);
    case 'a':
      return panned(span, whole, -KEY_PAN * lengthOf(span));
    case 'd':
      return panned(span, whole, KEY_PAN * lengthOf(span));
    default:
      return null;
  }
}

const WHEEL_ZOOM = 0.002;
const LINE_PIXELS = 16;

/** How many pixels a wheel asks for: some browsers count in lines. */
export function wheelPixels(delta: number, mode: number): number {
  return mode === 0 ? delta : delta * LINE_PIXELS;
}

export function wheelFactor(pixels: number): number {
  return Math.exp(Math.max(-300, Math.min(300, pixels)) * WHEEL_ZOOM);
}

/** Times of a ruler, at least `apart` pixels from each other. */
export function ticksOf(
  span: Span,
  width: number,
  apart: number,
): { times: number[]; step: number } {
  const least = (lengthOf(span) * apart) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= least) ?? power;
  const times: number[] = [];
  for (let at = Math.ceil(span.start / step) * step; at <= span.end; at += step) times.push(at);
  return { times, step };
}
