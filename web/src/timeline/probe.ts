import { lineName, operatorName } from './names';
import type { Span } from './span';
import { ROW } from './tracks';
import type { Timeline } from './timeline.svelte';

/** What tests may ask of the timeline. */
export interface TimelinePart {
  count(): number;
  span(): Span;
  /** Operator, phase and line of an event. */
  describe(event: number): { operator: string; phase: string; line: string };
  /** The rectangle of an event in the window, as far as it is to be seen; else null. */
  boxOf(event: number): DOMRect | null;
  hovered(): number;
  /** The lines that are lit, as `path:line`. */
  lit(): string[];
}

let part: TimelinePart | null = null;

export function timelinePart(): TimelinePart | null {
  return part;
}

/** `frame` is the rectangle of the rows in the window, as far as they were scrolled. */
export function offerTimeline(timeline: Timeline, frame: () => DOMRect): () => void {
  const nameOf = (line: number) => {
    const place = timeline.lineAt(line);
    return place ? lineName(place) : '';
  };
  const mine: TimelinePart = {
    count: () => timeline.tracks?.count ?? 0,
    span: () => timeline.span,
    describe: (event) => ({
      operator: operatorName(timeline.tracks!, event),
      phase: timeline.wire!.phases[timeline.tracks!.phase[event]],
      line: nameOf(timeline.tracks!.line[event]),
    }),
    boxOf: (event) => {
      const { start, end, row, rows } = timeline.tracks!;
      const { span } = timeline;
      const { left, top, width } = frame();
      const scale = width / (span.end - span.start);
      const from = Math.max(0, (start[event] - span.start) * scale);
      const to = Math.min(width, (end[event] - span.start) * scale);
      if (to < from) return null;
      return new DOMRect(left + from, top + rows[row[event]].y, to - from, ROW - 1);
    },
    hovered: () => timeline.hovered,
    lit: () => Array.from(timeline.lit, nameOf),
  };
  part = mine;
  return () => {
    if (part === mine) part = null;
  };
}
