import type { Colours } from './colours';
import { fitted, namesOf } from './names';
import { boxOf, visibleBoxes, type Box, type Layout } from './layout';

export const ROW = 21;
const GAP = 1;
const STRIP = 3;
const WIDEST_GAP = 3;
const MIN_TEXT = 26;

/** What the lower edge of a box shows in proportion: an amount of each part by node, children included. */
export interface Strips {
  parts: Float64Array[];
  /** The custom properties with the parts' colours. */
  colours: string[];
}

export interface Scene {
  layout: Layout;
  parts: Float64Array[];
  root: number;
  width: number;
  colours: Colours;
  matches: ReadonlySet<number> | null;
}

/** The boxes themselves. Drawn anew when the tree, the zoom, the search or the size changes. */
export function drawBoxes(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, root, width, colours, matches } = scene;
  const boxes = visibleBoxes(layout, root, width);
  const { own } = layout;
  const hottest = own.reduce((most, value) => Math.max(most, value), 0) || 1;
  fillByColour(context, boxes, (box) => {
    if (box.node < 0) return colours.rest;
    const level = (own[box.node] / hottest) * (colours.heat.length - 1);
    return colours.heat[Math.round(level)];
  });
  drawStrips(context, boxes, scene);
  if (matches) drawMatches(context, boxes, matches, colours);
  drawNames(context, boxes, scene);
}

function fillByColour(
  context: CanvasRenderingContext2D,
  boxes: Box[],
  colourOf: (box: Box) => string,
): void {
  const groups = new Map<string, Box[]>();
  for (const box of boxes) {
    const colour = colourOf(box);
    const group = groups.get(colour);
    if (group) group.push(box);
    else groups.set(colour, [box]);
  }
  for (const [colour, group] of groups) {
    context.fillStyle = colour;
    for (const box of group) context.fillRect(box.x, box.row * ROW, inner(box), ROW - GAP);
  }
}

function inner(box: Box): number {
  return box.width > WIDEST_GAP ? box.width - GAP : box.width;
}

function drawStrips(context: CanvasRenderingContext2D, boxes: Box[], scene: Scene): void {
  const { layout, parts, colours } = scene;
  for (const box of boxes) {
    if (box.node < 0 || box.width < WIDEST_GAP) continue;
    const scale = inner(box) / layout.value[box.node];
    let x = box.x;
    parts.forEach((part, i) => {
      const size = part[box.node] * scale;
      if (size <= 0) return;
      context.fillStyle = colours.strips[i];
      context.fillRect(x, box.row * ROW + ROW - GAP - STRIP, size, STRIP);
      x += size;
    });
  }
}

function drawMatches(
  context: CanvasRenderingContext2D,
  boxes: Box[],
  matches: ReadonlySet<number>,
  colours: Colours,
): void {
  for (const box of boxes) {
    const hit = matches.has(box.node);
    context.fillStyle = hit ? colours.match : colours.background;
    context.globalAlpha = hit ? 1 : 0.6;
    context.fillRect(box.x, box.row * ROW, inner(box), ROW - GAP - (hit ? STRIP : 0));
  }
  context.globalAlpha = 1;
}

function drawNames(context: CanvasRenderingContext2D, boxes: Box[], scene: Scene): void {
  context.font = scene.colours.font;
  context.textBaseline = 'middle';
  context.fillStyle = scene.colours.text;
  const letter = context.measureText('m').width;
  for (const box of boxes) {
    if (box.node < 0 || box.width < MIN_TEXT) continue;
    const room = box.width - 8;
    const text = fitted(namesOf(scene.layout.tree.labels[box.node]), Math.floor(room / letter));
    if (text) context.fillText(text, box.x + 4, box.row * ROW + (ROW - STRIP) / 2, room);
  }
}

export interface Marks {
  lit: ReadonlySet<number>;
  selected: ReadonlySet<number>;
  focused: number;
}

/** What lies over the boxes and changes with every move of the pointer. */
export function drawMarks(context: CanvasRenderingContext2D, scene: Scene, marks: Marks): void {
  const { layout, root, width, colours } = scene;
  const each = (nodes: Iterable<number>, draw: (box: Box) => void) => {
    for (const node of nodes) {
      const box = boxOf(layout, root, node, width);
      if (box && box.width >= 0.5) draw(box);
    }
  };
  context.strokeStyle = colours.accent;
  context.fillStyle = colours.lit;
  context.lineWidth = 2;
  each(marks.lit, (box) => {
    context.fillRect(box.x, box.row * ROW, Math.max(2, inner(box)), ROW - GAP);
    outline(context, box, 2);
  });
  each(marks.selected, (box) => outline(context, box, 2));
  if (marks.focused >= 0) each([marks.focused], (box) => outline(context, box, 3));
}

function outline(context: CanvasRenderingContext2D, box: Box, thickness: number): void {
  context.lineWidth = thickness;
  const half = thickness / 2;
  const width = Math.max(thickness, inner(box)) - thickness;
  context.strokeRect(box.x + half, box.row * ROW + half, width, ROW - GAP - thickness);
}
