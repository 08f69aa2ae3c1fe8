import { lengthOf, type Span } from '../timeline/span';
import type { TrainingColours } from './colours';
import { BROKEN, EMPTY, LEVELS, type HeatMap } from './heat';
import type { Ridges } from './histogram';

export function drawHeat(
  context: CanvasRenderingContext2D,
  { columns, rows, levels }: HeatMap,
  rowHeight: number,
  width: number,
  colours: TrainingColours,
): void {
  const wide = width / columns;
  for (let row = 0; row < rows; row += 1) {
    // Cells of one colour that lie side by side are one rectangle.
    for (let from = 0; from < columns;) {
      const level = levels[row * columns + from];
      let to = from + 1;
      while (to < columns && levels[row * columns + to] === level) to += 1;
      if (level !== EMPTY) {
        context.fillStyle = level === BROKEN ? colours.bad : colours.heat[level];
        context.fillRect(from * wide, row * rowHeight, (to - from) * wide + 0.5, rowHeight - 1);
        if (level === BROKEN)
          hatch(context, from * wide, row * rowHeight, (to - from) * wide, rowHeight - 1, colours);
      }
      from = to;
    }
  }
}

/** What is not finite is told from what is large by more than its colour. */
function hatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  colours: TrainingColours,
): void {
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x + 2; at + height / 2 <= x + width; at += 6) {
    context.moveTo(at, y + height);
    context.lineTo(at + height / 2, y);
  }
  context.stroke();
}

/** The more values of a step lie in a cell, the stronger its colour. */
export function drawRidges(
  context: CanvasRenderingContext2D,
  { rows, step, shares, most }: Ridges,
  span: Span,
  width: number,
  height: number,
  colours: TrainingColours,
): void {
  const scale = width / lengthOf(span);
  const tall = height / rows;
  step.forEach((at, column) => {
    const next = step[column + 1] ?? Math.max(span.end, at + 1);
    const x = (at - span.start) * scale;
    const wide = Math.max(1, (next - at) * scale);
    for (let row = 0; row < rows; row += 1) {
      const share = shares[column * rows + row];
      if (share === 0) continue;
      const level = Math.min(LEVELS - 1, Math.floor(Math.sqrt(share / most) * LEVELS));
      context.fillStyle = colours.heat[level];
      context.fillRect(x, height - (row + 1) * tall, wide + 0.5, tall + 0.5);
    }
  });
}
