import { bytes } from '../text/format';
import type { TimelineColours } from './colours';
import type { Curve, Memory } from './memory';
import type { Span } from './span';

/** Room above the peak for its name. */
const ROOM = 18;

/** What lasts lies below what comes and goes. */
const ORDER = [
  'parameters',
  'buffers',
  'optimizer',
  'other',
  'gradients',
  'inputs',
  'activations',
  'temporaries',
];

export interface MemoryScene {
  memory: Memory;
  curve: Curve;
  span: Span;
  width: number;
  height: number;
  colours: TimelineColours;
}

export function drawMemory(context: CanvasRenderingContext2D, scene: MemoryScene): void {
  const { memory, curve, colours, height } = scene;
  const scale = scaleOf(scene);
  const below = new Float64Array(curve.width);
  for (const name of ORDER) {
    const category = memory.wire.categories.indexOf(name);
    if (category < 0) continue;
    context.fillStyle = colours.categories[category];
    drawLayer(context, curve, category, below, height, scale);
  }
  drawPeak(context, scene, scale);
}

function scaleOf({ memory, height }: MemoryScene): number {
  return (height - ROOM) / Math.max(1, memory.wire.peak_bytes);
}

/** One category on top of those before; `below` then has it too. */
function drawLayer(
  context: CanvasRenderingContext2D,
  curve: Curve,
  category: number,
  below: Float64Array,
  height: number,
  scale: number,
): void {
  const { width, categories } = curve;
  context.beginPath();
  context.moveTo(0, height - below[0] * scale);
  for (let x = 0; x < width; x += 1) {
    const y = height - below[x] * scale;
    context.lineTo(x, y);
    context.lineTo(x + 1, y);
  }
  for (let x = width - 1; x >= 0; x -= 1) {
    below[x] += Math.max(0, curve.bytes[x * categories + category]);
    const y = height - below[x] * scale;
    context.lineTo(x + 1, y);
    context.lineTo(x, y);
  }
  context.fill();
}

function drawPeak(context: CanvasRenderingContext2D, scene: MemoryScene, scale: number): void {
  const { memory, span, width, height, colours } = scene;
  const { peak_bytes, exact } = memory.wire;
  const y = Math.round(height - peak_bytes * scale) + 0.5;
  const x = ((memory.peakTime - span.start) / (span.end - span.start)) * width;
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.stroke();
  context.setLineDash([]);
  context.font = colours.font;
  context.textBaseline = 'bottom';
  context.fillStyle = colours.text;
  const text = `peak ${exact ? '' : 'at least '}${bytes(peak_bytes)}`;
  const size = context.measureText(text).width;
  const near = Math.min(Math.max(x + 6, 2), width - size - 2);
  context.fillText(text, near, y - 2);
  if (x < 0 || x > width) return;
  context.beginPath();
  context.arc(x, y, 3.5, 0, 2 * Math.PI);
  context.fill();
}

export function drawMoment(
  context: CanvasRenderingContext2D,
  { span, width, height, colours }: MemoryScene,
  time: number,
): void {
  const x = ((time - span.start) / (span.end - span.start)) * width;
  context.fillStyle = colours.accent;
  context.fillRect(Math.round(x), 0, 1, height);
}
