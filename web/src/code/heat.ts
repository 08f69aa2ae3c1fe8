import { bytes, milliseconds } from '../text/format';
import { valueOf, type Metric } from '../tree/costs';
import { fileOf, lineOf, stepCost } from '../tree/lines';
import type { Results } from '../tree/results';
import type { LineMap } from './edit';

/** What stands beside a line: its cost as text and bar, and how hot it is. */
export interface LineHeat {
  line: number;
  text: string;
  /** Share of the step with what the line calls, and without. */
  total: number;
  own: number;
  /** 0 to 4, by the own cost against that of the hottest line. */
  level: number;
}

export function heatOf(results: Results, path: string, metric: Metric): LineHeat[] {
  const step = valueOf(stepCost(results.code), metric);
  if (!(step > 0)) return [];
  const format = metric === 'time' ? milliseconds : bytes;
  let hottest = 0;
  for (const line of results.lines.values()) hottest = Math.max(hottest, line.ownValue(metric));
  const heat: LineHeat[] = [];
  for (const [key, line] of results.lines) {
    if (results.wire.files[fileOf(key)].path !== path) continue;
    const total = line.totalValue(metric);
    const own = line.ownValue(metric);
    if (total <= 0) continue;
    heat.push({
      line: lineOf(key),
      text: format(total),
      total: total / step,
      own: own / step,
      level: Math.min(4, Math.floor(5 * Math.sqrt(own / (hottest || 1)))),
    });
  }
  return heat.sort((a, b) => a.line - b.line);
}

/** The heat at the places that the lines have now. */
export function movedHeat(heat: LineHeat[], map: LineMap): LineHeat[] {
  return heat
    .filter(({ line }) => map.has(line))
    .map((entry) => ({ ...entry, line: map.get(entry.line)! }))
    .sort((a, b) => a.line - b.line);
}

export function hottest(heat: LineHeat[]): LineHeat {
  return heat.reduce((most, entry) => (entry.own > most.own ? entry : most));
}

/** The line with a cost that comes after (by 1) or before (by -1) another. */
export function nextLine(
  heat: LineHeat[],
  line: number | undefined,
  by: number,
): number | undefined {
  if (line === undefined) return heat[0]?.line;
  const beyond = heat.filter((entry) => (entry.line - line) * by > 0);
  return (by > 0 ? beyond[0] : beyond[beyond.length - 1])?.line;
}
