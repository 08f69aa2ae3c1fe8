import type { Measured } from '../protocol';

export interface Point {
  index: number;
  x: number;
  y: number;
}

const MARGIN = 6;

/** How high these values stand in a chart whose scale begins at zero. */
export function trendScale(values: Measured[], height: number): (value: number) => number {
  const largest = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  return (value) => height - MARGIN - (value / largest) * (height - 2 * MARGIN);
}

/** Where the values stand beside each other; those not measured are left out. */
export function trendPoints(
  values: Measured[],
  width: number,
  heightOf: (value: number) => number,
): Point[] {
  const between = (width - 2 * MARGIN) / Math.max(1, values.length - 1);
  return values.flatMap((value, index) =>
    value === null
      ? []
      : [
          {
            index,
            x: MARGIN + (values.length === 1 ? (width - 2 * MARGIN) / 2 : index * between),
            y: heightOf(value),
          },
        ],
  );
}
