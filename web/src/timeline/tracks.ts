import type { WireTimeline } from './wire';

/** The events of one thread at one depth: none overlaps another, and they stand by start. */
export interface Row {
  thread: number;
  depth: number;
  /** Events from..to - 1. */
  from: number;
  to: number;
  y: number;
}

/** The events of a step, ordered by row and within a row by start. Times are nanoseconds. */
export interface Tracks {
  wire: WireTimeline;
  count: number;
  start: Float64Array;
  end: Float64Array;
  line: Int32Array;
  module: Int32Array;
  operator: Int32Array;
  phase: Int32Array;
  row: Int32Array;
  rows: Row[];
  /** Where the name of each thread stands. */
  heads: number[];
  height: number;
  /** Events of line n are ofLine[firstOfLine[n]] to ofLine[firstOfLine[n + 1] - 1]. */
  firstOfLine: Int32Array;
  ofLine: Int32Array;
}

export const ROW = 18;
export const HEAD = 19;

export function tracksOf(wire: WireTimeline): Tracks {
  const { events } = wire;
  const count = events.start_ns.length;
  const { rows, heads, height, rowOf } = rowsOf(wire);
  const order = new Int32Array(count);
  const row = new Int32Array(count);
  const next = Int32Array.from(rows, ({ from }) => from);
  for (let event = 0; event < count; event += 1) {
    const mine = rowOf(event);
    order[next[mine]] = event;
    row[next[mine]] = mine;
    next[mine] += 1;
  }
  const pick = (column: number[]) => Int32Array.from(order, (event) => column[event]);
  const line = pick(events.line);
  return {
    wire,
    count,
    start: Float64Array.from(order, (event) => events.start_ns[event]),
    end: Float64Array.from(order, (event) => events.start_ns[event] + events.duration_ns[event]),
    line,
    module: pick(events.module),
    operator: pick(events.operator),
    phase: pick(events.phase),
    row,
    rows,
    heads,
    height,
    ...byLine(line, wire.lines.length),
  };
}

function rowsOf({ events, threads }: WireTimeline) {
  const sizes = threads.map(() => [] as number[]);
  events.thread.forEach((thread, event) => {
    const depth = events.depth[event];
    const rows = sizes[thread];
    while (rows.length <= depth) rows.push(0);
    rows[depth] += 1;
  });
  const rows: Row[] = [];
  const heads: number[] = [];
  const first: number[] = [];
  let from = 0;
  let y = 0;
  sizes.forEach((depths, thread) => {
    heads.push(y);
    first.push(rows.length);
    y += HEAD;
    depths.forEach((size, depth) => {
      rows.push({ thread, depth, from, to: from + size, y });
      from += size;
      y += ROW;
    });
  });
  const rowOf = (event: number) => first[events.thread[event]] + events.depth[event];
  return { rows, heads, height: y, rowOf };
}

function byLine(line: Int32Array, lines: number) {
  const firstOfLine = new Int32Array(lines + 1);
  for (const at of line) if (at >= 0) firstOfLine[at + 1] += 1;
  for (let at = 0; at < lines; at += 1) firstOfLine[at + 1] += firstOfLine[at];
  const next = firstOfLine.slice();
  const ofLine = new Int32Array(firstOfLine[lines]);
  line.forEach((at, event) => {
    if (at >= 0) ofLine[next[at]++] = event;
  });
  return { firstOfLine, ofLine };
}

/** The row at a height, or null. */
export function rowAt(tracks: Tracks, y: number): Row | null {
  return tracks.rows.find((row) => y >= row.y && y < row.y + ROW) ?? null;
}

/** The first event of from..to - 1 that ends after the time, or `to`. */
export function endsAfter(end: Float64Array, from: number, to: number, time: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The event of a row at a time, or the nearest within `slack` of it; else -1. */
export function eventAt(tracks: Tracks, row: Row, time: number, slack: number): number {
  const { start, end } = tracks;
  const exact = endsAfter(end, row.from, row.to, time);
  if (exact < row.to && start[exact] <= time) return exact;
  if (exact < row.to && start[exact] <= time + slack) return exact;
  return exact > row.from && end[exact - 1] >= time - slack ? exact - 1 : -1;
}

/** Where an arrow key leads: along the row, or to what is around an event or first within it. */
export function neighbour(tracks: Tracks, event: number, key: string): number {
  const at = tracks.row[event];
  const row = tracks.rows[at];
  if (key === 'ArrowLeft') return Math.max(row.from, event - 1);
  if (key === 'ArrowRight') return Math.min(row.to - 1, event + 1);
  const other = tracks.rows[key === 'ArrowUp' ? at - 1 : at + 1];
  if (!other || other.thread !== row.thread) return event;
  const found = endsAfter(tracks.end, other.from, other.to, tracks.start[event]);
  return found < other.to && tracks.start[found] < tracks.end[event] ? found : event;
}
