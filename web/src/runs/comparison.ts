// What `api/compare` answers, as far as the page reads it, and what of it is worth showing.
import type { Measured, PastRun, SavedRun } from '../protocol';

export type Verdict = 'same' | 'better' | 'worse' | 'added' | 'removed';

/** One figure in both runs. */
export interface Change {
  before: Measured;
  after: Measured;
  difference: Measured;
  percent: Measured;
  /** What a difference has to be larger than to count. */
  noise: Measured;
  verdict: Verdict | null;
}

export interface Place {
  file: string;
  line: number;
  function: string;
  source: string | null;
}

export interface LineChange {
  a: Place | null;
  b: Place | null;
  self_ms: Change;
  peak_bytes: Change;
}

export interface ModuleChange {
  path: string;
  type: string;
  total_ms: Change;
  activation_bytes: Change;
}

/** Lines that stand beside each other; null where a run has none. */
export interface DiffRow {
  a: number | null;
  b: number | null;
  before: string | null;
  after: string | null;
}

export interface FileDiff {
  before: string;
  after: string;
  parts: DiffRow[][];
  cut: boolean;
}

export interface Comparison {
  words: string;
  differs: { what: string; before: string | null; after: string | null }[];
  notes: string[];
  iteration: { wall_ms: Change };
  phases: Record<string, Change>;
  lines: LineChange[];
  modules: ModuleChange[];
  memory: { peak_bytes: Change };
  code: FileDiff[];
}

/** Whether any of the figures differs by more than chance. */
export function counts(...changes: Change[]): boolean {
  return changes.some(({ verdict }) => verdict !== null && verdict !== 'same');
}

/** Good, bad or neither, for the colour of it. */
export function toneOf({ verdict }: Change): 'good' | 'bad' | 'calm' {
  if (verdict === 'better' || verdict === 'removed') return 'good';
  return verdict === 'worse' || verdict === 'added' ? 'bad' : 'calm';
}

/** What is said of a row: its time, or if that is the same its memory. */
export function verdictOf(time: Change, memory: Change): Change {
  return counts(time) ? time : memory;
}

export type ComparableRun = PastRun | SavedRun;
export type RunId = ComparableRun['run'];

export interface Pair {
  before: ComparableRun;
  after: ComparableRun;
}

/** As far as the user has chosen. */
export interface Asked {
  before: RunId | null;
  after: RunId | null;
}

export function isSaved(run: ComparableRun): run is SavedRun {
  return typeof run.run === 'string';
}

export function canBeCompared(run: ComparableRun): boolean {
  return isSaved(run) ? run.problem === '' : run.kept;
}

/** The same for as long as a comparison with the run stays true. */
export function versionOf(run: ComparableRun): string {
  return isSaved(run) ? `${run.started} ${run.growing}` : run.started;
}

/**
 * The runs that were asked for; else the last result, and in a session the one before it, in a view
 * the first.
 */
export function pairOf(
  results: PastRun[],
  saved: SavedRun[],
  asked: Asked,
  isView: boolean,
): Pair | null {
  const kept = results.filter(canBeCompared);
  const called = (id: RunId | null): ComparableRun | undefined =>
    kept.find(({ run }) => run === id) ?? saved.filter(canBeCompared).find(({ run }) => run === id);
  const after = called(asked.after) ?? kept.findLast(({ run }) => run !== asked.before);
  const others = kept.filter((run) => run !== after);
  const earlier = others.findLast(({ run }) => !after || isSaved(after) || run < after.run);
  const before = called(asked.before) ?? (isView ? others[0] : (earlier ?? others[0]));
  return before && after && before !== after ? { before, after } : null;
}
