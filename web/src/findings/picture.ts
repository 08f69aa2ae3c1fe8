import type { Finding } from '../protocol';
import { count, milliseconds, percent, perSecond } from '../text/format';

export interface Bar {
  name: string;
  text: string;
  /** Of the longest, from 0 to 1. */
  length: number;
  /** Where a measurement would lie, likewise. */
  interval?: { from: number; to: number };
}

/** The small picture of a finding. `text` says the same in words. */
export type Picture =
  | { kind: 'share'; text: string; share: number; saved: number }
  | { kind: 'bars'; text: string; bars: Bar[] }
  | { kind: 'steps'; text: string; heights: number[] }
  | { kind: 'marks'; text: string; count: number };

/** More would touch each other. */
const MOST_STEPS = 120;
const MOST_MARKS = 60;
const PERIODS = 3;

type Evidence = Record<string, number | null | undefined>;

/** Chosen by what the evidence holds; null where there is nothing to compare. */
export function pictureOf(finding: Finding): Picture | null {
  const evidence: Evidence = finding.evidence ?? {};
  return ratesOf(evidence) ?? slowStepsOf(evidence) ?? shareOf(evidence) ?? marksOf(evidence);
}

/** Now, and with another batch size. */
function ratesOf(evidence: Evidence): Picture | null {
  const { samples_per_second: then, samples_per_second_now: now } = evidence;
  if (!isAmount(then) || !isAmount(now)) return null;
  const doubt = (then * (evidence['interval_percent'] ?? 0)) / 100;
  const most = Math.max(now, then + doubt);
  const rate = (value: number) => `${perSecond(value)} samples/s`;
  const batch = `a batch of ${count(evidence['batch_size'])}`;
  return {
    kind: 'bars',
    text: `now ${rate(now)}, ${batch} ${rate(then)} ± ${perSecond(doubt)}`,
    bars: [
      { name: 'now', text: rate(now), length: now / most },
      {
        name: batch,
        text: rate(then),
        length: then / most,
        interval: { from: Math.max(0, then - doubt) / most, to: (then + doubt) / most },
      },
    ],
  };
}

/** A row of steps where it is known which are slow, else one step of each kind. */
function slowStepsOf({ usual_ms: usual, slow_ms: slow, period }: Evidence): Picture | null {
  if (!isAmount(usual) || !isAmount(slow)) return null;
  const most = Math.max(usual, slow);
  if (isAmount(period) && period > 1 && period <= MOST_STEPS) {
    const shown = Math.min(PERIODS * period, Math.floor(MOST_STEPS / period) * period);
    return {
      kind: 'steps',
      text: `one of ${count(period)} steps takes ${milliseconds(slow)}, the others ${milliseconds(usual)}`,
      heights: Array.from(
        { length: shown },
        (_, step) => ((step + 1) % period === 0 ? slow : usual) / most,
      ),
    };
  }
  const bar = (name: string, value: number) => ({
    name,
    text: milliseconds(value),
    length: value / most,
  });
  return {
    kind: 'bars',
    text: `a usual step takes ${milliseconds(usual)}, a slow one ${milliseconds(slow)}`,
    bars: [bar('a usual step', usual), bar('a slow one', slow)],
  };
}

/** Of the time of a step, or where bytes are told of the peak. */
function shareOf(evidence: Evidence): Picture | null {
  const whole = evidence['share_percent'];
  if (!isAmount(whole)) return null;
  const frees = isAmount(evidence['freed_bytes']);
  const share = Math.min(1, whole / 100);
  const saved = frees ? share : Math.min(share, Math.max(0, evidence['gain_percent'] ?? 0) / 100);
  const of = frees || isAmount(evidence['bytes']) ? 'the peak' : 'the step';
  return {
    kind: 'share',
    text: `${percent(share)} of ${of}${savingText(share, saved)}`,
    share,
    saved,
  };
}

function savingText(share: number, saved: number): string {
  if (saved <= 0) return '';
  return saved < share
    ? `; ${percent(saved)} can be saved at best`
    : ', which can be saved at best';
}

/** So many times in a step. */
function marksOf({ calls }: Evidence): Picture | null {
  if (!isAmount(calls)) return null;
  const marks = Math.max(1, Math.round(calls));
  return {
    kind: 'marks',
    text: `${count(marks)} in a step${marks > MOST_MARKS ? `, of which ${MOST_MARKS} are drawn` : ''}`,
    count: Math.min(MOST_MARKS, marks),
  };
}

function isAmount(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
