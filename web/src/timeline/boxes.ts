import type { Span } from './span';
import { endsAfter, type Row, type Tracks } from './tracks';

/** Gets an event, or several from `event` on that share a pixel, and where it stands. */
export type Draw = (event: number, x: number, width: number, count: number) => void;

/**
 * Calls `draw` for what is to be seen of a row. What is thinner than a pixel is merged: it takes
 * a search for each pixel, however many events there are.
 */
export function eachBox(tracks: Tracks, row: Row, span: Span, width: number, draw: Draw): void {
  const { start, end } = tracks;
  const scale = width / (span.end - span.start);
  let event = endsAfter(end, row.from, row.to, span.start);
  while (event < row.to && start[event] < span.end) {
    const x = Math.max(0, (start[event] - span.start) * scale);
    const right = Math.min(width, (end[event] - span.start) * scale);
    if (right - x >= 1) {
      draw(event, x, right - x, 1);
      event += 1;
    } else {
      const pixel = Math.floor(x);
      const next = endsAfter(end, event + 1, row.to, span.start + (pixel + 1) / scale);
      draw(event, pixel, 1, next - event);
      event = next;
    }
  }
}

/** The same for the events of one line, which may be in several rows. */
export function eachBoxOfLine(
  tracks: Tracks,
  line: number,
  span: Span,
  width: number,
  draw: Draw,
): void {
  const { start, end, row, ofLine, firstOfLine } = tracks;
  const scale = width / (span.end - span.start);
  let covered = -1;
  let lastRow = -1;
  for (let i = firstOfLine[line]; i < firstOfLine[line + 1]; i += 1) {
    const event = ofLine[i];
    if (end[event] < span.start || start[event] > span.end) continue;
    const left = Math.max(0, (start[event] - span.start) * scale);
    const room = Math.min(width, (end[event] - span.start) * scale) - left;
    const x = room < 1 ? Math.floor(left) : left;
    const size = Math.max(1, room);
    if (row[event] === lastRow && x + size <= covered) continue;
    draw(event, x, size, 1);
    covered = x + size;
    lastRow = row[event];
  }
}
