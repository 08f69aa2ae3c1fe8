import { visible } from '../text/visible';
import type { Tracks } from './tracks';
import type { WireLine, WireTimeline } from './wire';

export function lineName({ path, line }: WireLine): string {
  return visible(`${path}:${line}`);
}

export function moduleName({ modules }: WireTimeline, module: number): string {
  if (module < 0) return '';
  const { path, type } = modules[module];
  return visible(path || type);
}

/** Operators without the name of their library first, if there is no room for it. */
export function eventNames(tracks: Tracks, event: number): string[] {
  const name = operatorName(tracks, event);
  return [name, name.slice(name.lastIndexOf(':') + 1)];
}

export function operatorName({ wire, operator, phase }: Tracks, event: number): string {
  return visible(wire.operators[operator[event]] ?? wire.phases[phase[event]]);
}

export interface Found {
  count: number;
  /** By event: how many before it were found, so that a range of events takes two looks. */
  before: Int32Array;
}

/** The events whose operator, line, function or module has the text; null without a text. */
export function matchesOf(tracks: Tracks, query: string): Found | null {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return null;
  const { wire } = tracks;
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const operators = wire.operators.map(has);
  const modules = wire.modules.map(({ path, type }) => has(path) || has(type));
  const lines = wire.lines.map((line) => has(`${line.path}:${line.line}`) || has(line.function));
  const before = new Int32Array(tracks.count + 1);
  for (let event = 0; event < tracks.count; event += 1) {
    const hit =
      operators[tracks.operator[event]] ||
      lines[tracks.line[event]] ||
      modules[tracks.module[event]];
    before[event + 1] = before[event] + (hit ? 1 : 0);
  }
  return { count: before[tracks.count], before };
}

/** The longest of what was found, or -1. */
export function longestMatch({ start, end, count }: Tracks, { before }: Found): number {
  let longest = -1;
  for (let event = 0; event < count; event += 1) {
    if (before[event + 1] === before[event]) continue;
    if (longest < 0 || end[event] - start[event] > end[longest] - start[longest]) longest = event;
  }
  return longest;
}
