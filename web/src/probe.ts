import type { TimelinePart } from './timeline/probe';

/** What tests may ask of the page, as `window.sightline`. */
export interface Probe {
  /** The node of an icicle at a point of the window, or -1. */
  nodeAt(x: number, y: number): number;
  /** The rectangle of a node in the window, or null. */
  boxOf(node: number, icicle?: string): DOMRect | null;
  /** The lines that are lit, as `path:line`. */
  highlightedLines(): string[];
  /** The nodes that are lit. */
  highlightedNodes(): number[];
  /** The file in the code pane. */
  openFile(): string | null;
  /** The timeline, while it is shown. */
  timeline(): TimelinePart | null;
}

export interface IciclePart {
  nodeAt(x: number, y: number): number;
  boxOf(node: number): DOMRect | null;
}

/** By what they show: time, memory, layers. */
export const icicleParts = new Map<string, IciclePart>();

export function offer(probe: Probe): void {
  Object.defineProperty(window, 'sightline', { value: Object.freeze(probe) });
}
