import type { Metric } from './tree/costs';

/** What tests may ask of the page, as `window.sightline`. */
export interface Probe {
  /** The node of an icicle at a point of the window, or -1. */
  nodeAt(x: number, y: number): number;
  /** The rectangle of a node in the window, or null. */
  boxOf(node: number, metric?: Metric): DOMRect | null;
  /** The lines that are lit, as `path:line`. */
  highlightedLines(): string[];
  /** The nodes that are lit. */
  highlightedNodes(): number[];
  /** The file in the code pane. */
  openFile(): string | null;
}

export interface IciclePart {
  nodeAt(x: number, y: number): number;
  boxOf(node: number): DOMRect | null;
}

export const icicleParts = new Map<Metric, IciclePart>();

export function offer(probe: Probe): void {
  Object.defineProperty(window, 'sightline', { value: Object.freeze(probe) });
}
