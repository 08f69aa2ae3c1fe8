import type { Span } from './span';
import type { WireMemory } from './wire';

/** What is alive over a step: an amount before it, and changes by time. */
export interface Memory {
  wire: WireMemory;
  time: Float64Array;
  category: Uint8Array;
  bytes: Float64Array;
  line: Int32Array;
  /** How many lines there are. */
  lines: number;
  /** By category, when the step begins. */
  before: Float64Array;
  peakTime: number;
}

/** What is drawn, pixel by pixel: the moment in it with the most alive. */
export interface Curve {
  width: number;
  categories: number;
  /** By pixel and category. */
  bytes: Float64Array;
  /** By pixel: how many changes lead to it. */
  at: Int32Array;
}

export function memoryOf(wire: WireMemory, lines: number): Memory {
  const before = new Float64Array(wire.categories.length);
  wire.before.category.forEach((category, i) => (before[category] += wire.before.bytes[i]));
  const time = Float64Array.from(wire.changes.time_ns);
  return {
    wire,
    time,
    category: Uint8Array.from(wire.changes.category),
    bytes: Float64Array.from(wire.changes.bytes),
    line: Int32Array.from(wire.changes.line),
    lines,
    before,
    peakTime: wire.peak > 0 ? time[wire.peak - 1] : 0,
  };
}

export function curveOf(memory: Memory, span: Span, width: number): Curve {
  const { time, category, bytes } = memory;
  const categories = memory.before.length;
  const curve: Curve = {
    width,
    categories,
    bytes: new Float64Array(width * categories),
    at: new Int32Array(width),
  };
  const alive = memory.before.slice();
  let total = alive.reduce((sum, value) => sum + value, 0);
  let change = 0;
  for (let pixel = 0; pixel < width; pixel += 1) {
    const from = span.start + ((span.end - span.start) * pixel) / width;
    const until = span.start + ((span.end - span.start) * (pixel + 1)) / width;
    for (; change < time.length && time[change] <= from; change += 1) {
      alive[category[change]] += bytes[change];
      total += bytes[change];
    }
    let most = total;
    curve.at[pixel] = change;
    curve.bytes.set(alive, pixel * categories);
    for (; change < time.length && time[change] <= until; change += 1) {
      alive[category[change]] += bytes[change];
      total += bytes[change];
      if (total <= most) continue;
      most = total;
      curve.at[pixel] = change + 1;
      curve.bytes.set(alive, pixel * categories);
    }
  }
  return curve;
}

export interface Alive {
  total: number;
  categories: { name: string; bytes: number }[];
  /** Those that hold most, first; -1 is what has no line. */
  lines: { line: number; bytes: number }[];
}

/** What is alive after so many changes; of lines, the few largest. */
export function aliveAt(memory: Memory, changes: number, few: number): Alive {
  const { wire, category, bytes, line } = memory;
  const byCategory = memory.before.slice();
  // What has no line, -1, stands first.
  const byLine = new Float64Array(memory.lines + 1);
  wire.before.line.forEach((at, i) => (byLine[at + 1] += wire.before.bytes[i]));
  for (let change = 0; change < changes; change += 1) {
    byCategory[category[change]] += bytes[change];
    byLine[line[change] + 1] += bytes[change];
  }
  return {
    total: byCategory.reduce((sum, value) => sum + value, 0),
    categories: wire.categories
      .map((name, i) => ({ name, bytes: byCategory[i] }))
      .filter((entry) => entry.bytes > 0)
      .sort((a, b) => b.bytes - a.bytes),
    lines: Array.from(byLine, (amount, at) => ({ line: at - 1, bytes: amount }))
      .filter((entry) => entry.bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, few),
  };
}
