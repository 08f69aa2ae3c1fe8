// What `api/compare` answers, as far as the page reads it, and what of it is worth showing.
import type { Measured, PastRun } from '../protocol';

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

export interface Pair {
  before: PastRun;
  after: PastRun;
}

/** The runs that were asked for; else the last, and in a session the one before it, in a view the first. */
export function pairOf(
  runs: PastRun[],
  asked: { before: number | null; after: number | null },
  isView: boolean,
): Pair | null {
  const kept = runs.filter((run) => run.kept);
  const numbered = (number: number | null) => kept.find(({ run }) => run === number);
  const after = numbered(asked.after) ?? kept.findLast(({ run }) => run !== asked.before);
  const others = kept.filter((run) => run !== after);
  const earlier = others.findLast(({ run }) => run < (after?.run ?? 0));
  const before = numbered(asked.before) ?? (isView ? others[0] : (earlier ?? others[0]));
  return before && after && before !== after ? { before, after } : null;
}
