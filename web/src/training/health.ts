import type { Results } from '../tree/results';
import { isInModule } from './selection';
import type { WireTraining, WireVerdict } from './wire';

/** A module with what it costs and how it fares. */
export interface ModuleRow {
  path: string;
  type: string;
  depth: number;
  /** Null where no steps were recorded. */
  ms: number | null;
  bytes: number | null;
  /** Whether anything in it was looked at. */
  watched: boolean;
  /** About the module itself. */
  verdicts: WireVerdict[];
  /** The worst about it or one inside it. */
  worst: Severity | null;
}

export type Severity = 'error' | 'warning' | 'info';
const WORST_FIRST: Severity[] = ['error', 'warning', 'info'];

export function severityOf({ severity }: WireVerdict): Severity {
  return WORST_FIRST.find((known) => known === severity) ?? 'info';
}

export function worstFirst(verdicts: readonly WireVerdict[]): WireVerdict[] {
  const rank = (verdict: WireVerdict) => WORST_FIRST.indexOf(severityOf(verdict));
  return [...verdicts].sort((a, b) => rank(a) - rank(b) || a.step - b.step);
}

/** All modules that anything is known of, those inside one below it. */
export function moduleRows(training: WireTraining, results: Results | null): ModuleRow[] {
  const costs = costsOf(results);
  const paths = new Set(costs.keys());
  for (const { module } of [...training.series, ...training.verdicts]) withParents(module, paths);
  const order = [...paths].sort(compare);
  return order.map((path) => {
    const within = training.verdicts.filter(({ module }) => isInModule(module, path));
    return {
      path,
      type: costs.get(path)?.type ?? '',
      depth: path === '' ? 0 : path.split('.').length,
      ms: costs.get(path)?.ms ?? null,
      bytes: costs.get(path)?.bytes ?? null,
      watched: training.series.some(({ module }) => module !== '' && isInModule(module, path)),
      verdicts: within.filter(({ module }) => module === path),
      worst: WORST_FIRST.find((severity) => within.some((v) => severityOf(v) === severity)) ?? null,
    };
  });
}

interface ModuleCost {
  type: string;
  ms: number;
  bytes: number;
}

function costsOf(results: Results | null): Map<string, ModuleCost> {
  const costs = new Map<string, ModuleCost>();
  const tree = results?.tree('module');
  results?.wire.modules.forEach(({ path, type }, module) => {
    const { time, memory } = tree!.value;
    costs.set(path, { type, ms: time.total[module + 1], bytes: memory.total[module + 1] });
  });
  return costs;
}

function withParents(path: string, paths: Set<string>): void {
  for (let at = path; !paths.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    paths.add(at);
    if (at === '') return;
  }
}

/** By path, part by part, numbers as numbers. */
function compare(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = left[at].localeCompare(right[at], undefined, { numeric: true });
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
