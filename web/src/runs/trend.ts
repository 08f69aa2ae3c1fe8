import type { Measured } from '../protocol';

export interface Point {
  index: number;
  x: number;
  y: number;
}

const MARGIN = 6;

/** Where the values stand in a chart of that size whose scale begins at zero; those not measured are left out. */
export function trendPoints(values: Measured[], width: number, height: number): Point[] {
  const largest = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const between = (width - 2 * MARGIN) / Math.max(1, values.length - 1);
  return values.flatMap((value, index) =>
    value === null
      ? []
      : [
          {
            index,
            x: MARGIN + (values.length === 1 ? (width - 2 * MARGIN) / 2 : index * between),
            y: height - MARGIN - (value / largest) * (height - 2 * MARGIN),
          },
        ],
  );
}
