import { lengthOf, type Span } from '../timeline/span';
import type { TrainingColours } from './colours';
import { notFinite, within } from './curves';
import { placeOf, ticksOf, valueText, type Scale } from './scale';
import type { WireCurve } from './wire';

export interface Line {
  curve: WireCurve;
  colour: string;
  dashed: boolean;
}

/** A step at which something was found. */
export interface Mark {
  step: number;
  colour: string;
}

export interface ChartScene {
  lines: Line[];
  marks: Mark[];
  scale: Scale;
  span: Span;
  width: number;
  height: number;
  colours: TrainingColours;
  /** How many values stand beside the axis. */
  ticks: number;
}

/** Room above and below the lines. */
const ROOM = 7;
const BAND = 0.18;

export function drawChart(context: CanvasRenderingContext2D, scene: ChartScene): void {
  const ticks = ticksOf(scene.scale, scene.ticks);
  drawGrid(context, scene, ticks);
  for (const mark of scene.marks) drawMark(context, scene, mark);
  for (const line of scene.lines) drawLine(context, scene, line);
  drawNumbers(context, scene, ticks);
}

function xOf({ span, width }: ChartScene, step: number): number {
  return ((step - span.start) / lengthOf(span)) * width;
}

function yOf({ scale, height }: ChartScene, value: number | null): number | null {
  const place = value === null ? null : placeOf(scale, value);
  return place === null ? null : height - ROOM - place * (height - 2 * ROOM);
}

function drawGrid(context: CanvasRenderingContext2D, scene: ChartScene, ticks: number[]): void {
  context.fillStyle = scene.colours.border;
  for (const tick of ticks) {
    context.fillRect(0, Math.round(yOf(scene, tick)!), scene.width, 1);
  }
}

/** Over the lines, in a halo: beside them they would take a fifth of a small chart. */
function drawNumbers(context: CanvasRenderingContext2D, scene: ChartScene, ticks: number[]): void {
  const { colours } = scene;
  context.font = colours.font;
  context.textBaseline = 'bottom';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = colours.raised;
  context.fillStyle = colours.faint;
  for (const tick of ticks) {
    const y = Math.max(12, Math.round(yOf(scene, tick)!));
    context.strokeText(valueText(tick), 2, y);
    context.fillText(valueText(tick), 2, y);
  }
}

function drawMark(context: CanvasRenderingContext2D, scene: ChartScene, mark: Mark): void {
  const x = Math.round(xOf(scene, mark.step));
  context.fillStyle = mark.colour;
  context.fillRect(x, 0, 1.5, scene.height);
  context.beginPath();
  context.moveTo(x - 3.5, 0);
  context.lineTo(x + 5, 0);
  context.lineTo(x + 0.75, 6);
  context.fill();
}

function drawLine(context: CanvasRenderingContext2D, scene: ChartScene, line: Line): void {
  const curve = within(line.curve, scene.span);
  context.fillStyle = line.colour;
  context.strokeStyle = line.colour;
  context.globalAlpha = BAND;
  drawBand(context, scene, curve);
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.setLineDash(line.dashed ? [5, 3] : []);
  drawMeans(context, scene, curve);
  context.setLineDash([]);
  context.fillStyle = scene.colours.bad;
  for (const step of notFinite(curve)) {
    context.fillRect(Math.round(xOf(scene, step)) - 1, scene.height - 9, 4, 9);
  }
}

/** From the smallest to the largest of the steps that a column has. */
function drawBand(context: CanvasRenderingContext2D, scene: ChartScene, curve: WireCurve): void {
  const wide = scene.width / Math.max(1, curve.step.length);
  for (let at = 0; at < curve.step.length; at += 1) {
    const [low, high] = [yOf(scene, curve.min[at]), yOf(scene, curve.max[at])];
    if (low === null || high === null || low - high < 1) continue;
    context.fillRect(xOf(scene, curve.step[at]), high, Math.max(1, wide), low - high);
  }
}

function drawMeans(context: CanvasRenderingContext2D, scene: ChartScene, curve: WireCurve): void {
  context.beginPath();
  let open = false;
  for (let at = 0; at < curve.step.length; at += 1) {
    const [x, y] = [xOf(scene, curve.step[at]), yOf(scene, curve.mean[at])];
    if (y === null) open = false;
    else if (open) context.lineTo(x, y);
    else {
      // A single one is a dot.
      context.moveTo(x - 0.75, y);
      context.lineTo(x + 0.75, y);
      open = true;
    }
  }
  context.stroke();
}
