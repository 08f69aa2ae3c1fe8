import { fitted } from '../icicle/names';
import { visible } from '../text/visible';
import { eachBox, eachBoxOfLine } from './boxes';
import type { ColourBy, TimelineColours } from './colours';
import { eventNames, type Found } from './names';
import { ticksOf, type Span } from './span';
import { HEAD, ROW, type Row, type Tracks } from './tracks';

const GAP = 1;
const WIDEST_GAP = 3;
const MIN_TEXT = 22;
const TICKS_APART = 90;
const FADED = 0.22;

export interface Scene {
  tracks: Tracks;
  span: Span;
  width: number;
  /** The part of all rows that is to be seen. */
  top: number;
  height: number;
  colours: TimelineColours;
  by: ColourBy;
  found: Found | null;
}

/** Rectangles of one colour: x, y, width, one after the other. */
type Fill = number[];

/** The events. Drawn anew when the step, the span, the search or the size changes. */
export function drawTracks(context: CanvasRenderingContext2D, scene: Scene): void {
  const names: [event: number, x: number, y: number, width: number][] = [];
  const fills = new Map<number, Fill>();
  drawGrid(context, scene);
  for (const row of visibleRows(scene)) {
    const y = row.y - scene.top;
    eachBox(scene.tracks, row, scene.span, scene.width, (event, x, width, count) => {
      add(fills, colourOf(scene, event, count), x, y, width > WIDEST_GAP ? width - GAP : width);
      if (width >= MIN_TEXT) names.push([event, x, y, width]);
    });
  }
  paint(context, scene, fills);
  drawNames(context, scene, names);
  drawHeads(context, scene);
}

function visibleRows({ tracks, top, height }: Scene): Row[] {
  return tracks.rows.filter(({ y }) => y + ROW > top && y < top + height);
}

const FOUND = 1e6;
const NO_MODULE = 1e5;

/** The colour's number; negative for what was not found, less one so that 0 has a sign. */
function colourOf({ tracks, by, found, colours }: Scene, event: number, count: number): number {
  if (found && found.before[event + count] > found.before[event]) return FOUND;
  const module = tracks.module[event];
  const plain =
    by === 'phase' ? tracks.phase[event] : module < 0 ? NO_MODULE : module % colours.modules.length;
  return found ? -1 - plain : plain;
}

function add(fills: Map<number, Fill>, colour: number, x: number, y: number, width: number): void {
  const fill = fills.get(colour);
  if (!fill) {
    fills.set(colour, [x, y, width]);
    return;
  }
  // Neighbours of one pixel make one rectangle.
  const last = fill.length - 3;
  if (width <= 1 && fill[last + 1] === y && fill[last] + fill[last + 2] === x) {
    fill[last + 2] += width;
  } else fill.push(x, y, width);
}

function paint(context: CanvasRenderingContext2D, scene: Scene, fills: Map<number, Fill>): void {
  const { colours, by } = scene;
  const palette = by === 'phase' ? colours.phases : colours.modules;
  for (const [colour, fill] of fills) {
    const plain = colour < 0 ? -1 - colour : colour;
    context.globalAlpha = colour < 0 ? FADED : 1;
    context.fillStyle = colour === FOUND ? colours.match : (palette[plain] ?? colours.border);
    for (let i = 0; i < fill.length; i += 3) {
      context.fillRect(fill[i], fill[i + 1], fill[i + 2], ROW - GAP);
    }
  }
  context.globalAlpha = 1;
}

function drawNames(
  context: CanvasRenderingContext2D,
  { tracks, colours }: Scene,
  names: [number, number, number, number][],
): void {
  context.font = colours.font;
  context.textBaseline = 'middle';
  context.fillStyle = colours.text;
  const letter = context.measureText('m').width;
  for (const [event, x, y, width] of names) {
    const text = fitted(eventNames(tracks, event), Math.floor((width - 6) / letter));
    if (text) context.fillText(text, x + 3, y + ROW / 2);
  }
}

function drawHeads(context: CanvasRenderingContext2D, scene: Scene): void {
  const { tracks, top, height, colours, width } = scene;
  context.font = colours.font;
  tracks.heads.forEach((y, thread) => {
    if (y + HEAD < top || y > top + height) return;
    const { name, training } = tracks.wire.threads[thread];
    context.fillStyle = colours.background;
    context.fillRect(0, y - top, width, HEAD);
    context.fillStyle = colours.faint;
    context.fillText(visible(training ? `${name} (training)` : name), 2, y - top + HEAD / 2, width);
  });
}

function drawGrid(
  context: CanvasRenderingContext2D,
  { span, width, height, colours }: Scene,
): void {
  context.fillStyle = colours.border;
  context.globalAlpha = 0.6;
  for (const time of ticksOf(span, width, TICKS_APART).times) {
    context.fillRect(Math.round(xOf(time, span, width)), 0, 1, height);
  }
  context.globalAlpha = 1;
}

function xOf(time: number, span: Span, width: number): number {
  return ((time - span.start) / (span.end - span.start)) * width;
}

export function drawRuler(
  context: CanvasRenderingContext2D,
  span: Span,
  width: number,
  height: number,
  colours: TimelineColours,
): void {
  const { times, step } = ticksOf(span, width, TICKS_APART);
  const digits = Math.max(0, 6 - Math.floor(Math.log10(step)));
  context.font = colours.font;
  context.textBaseline = 'middle';
  for (const time of times) {
    const x = Math.round(xOf(time, span, width));
    context.fillStyle = colours.border;
    context.fillRect(x, height - 6, 1, 6);
    context.fillStyle = colours.faint;
    const text = `${(time / 1e6).toFixed(digits)} ms`;
    const room = context.measureText(text).width + 4;
    if (x + room <= width) context.fillText(text, x + 3, height / 2 - 1);
  }
}

export interface Marks {
  /** Positions in the lines of the timeline. */
  lit: Iterable<number>;
  selected: Iterable<number>;
  hovered: number;
  /** Where the pointer is in the memory, or null. */
  time: number | null;
}

/** What lies over the events and changes with every move of the pointer. */
export function drawMarks(context: CanvasRenderingContext2D, scene: Scene, marks: Marks): void {
  const { tracks, span, width, top, height, colours } = scene;
  const outline = (event: number, x: number, size: number, thickness: number) => {
    const y = tracks.rows[tracks.row[event]].y - top;
    if (y + ROW < 0 || y > height) return;
    context.fillRect(x, y, Math.max(2, size), ROW - GAP);
    if (size < 2 * thickness) return;
    context.lineWidth = thickness;
    context.strokeRect(
      x + thickness / 2,
      y + thickness / 2,
      size - thickness,
      ROW - GAP - thickness,
    );
  };
  context.strokeStyle = colours.accent;
  context.fillStyle = colours.lit;
  for (const line of marks.lit) {
    eachBoxOfLine(tracks, line, span, width, (event, x, size) => outline(event, x, size, 1.5));
  }
  for (const line of marks.selected) {
    eachBoxOfLine(tracks, line, span, width, (event, x, size) => outline(event, x, size, 1));
  }
  if (marks.hovered >= 0) {
    const x = Math.max(0, xOf(tracks.start[marks.hovered], span, width));
    const right = Math.min(width, xOf(tracks.end[marks.hovered], span, width));
    if (right > 0 && x < width) outline(marks.hovered, x, Math.max(1, right - x), 2.5);
  }
  if (marks.time !== null) {
    context.fillStyle = colours.accent;
    context.fillRect(Math.round(xOf(marks.time, span, width)), 0, 1, height);
  }
}
