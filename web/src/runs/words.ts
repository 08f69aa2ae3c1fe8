import type { Measured } from '../protocol';
import { visible } from '../text/visible';
import { isSaved, type Change, type ComparableRun } from './comparison';

type Format = (value: number) => string;

export function signed(value: Measured, format: Format): string {
  if (value === null) return '–';
  if (value === 0) return format(0);
  return `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}

/** A change in percent, with its sign. */
export function percentText(percent: number): string {
  const size = Math.abs(percent);
  const digits = size >= 99.95 ? 0 : size >= 0.95 || size === 0 ? 1 : 2;
  return signed(percent, (value) => `${value.toFixed(digits)} %`);
}

/** "41.2 ms → 44.1 ms" */
export function fromTo(change: Change, format: (value: Measured) => string): string {
  return `${format(change.before)} → ${format(change.after)}`;
}

/** In the user's own zone; within a session the hour is enough. */
export function timeText(started: string, withDate: boolean): string {
  const time = new Date(started);
  if (Number.isNaN(time.getTime())) return visible(started);
  return withDate
    ? time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
    : time.toLocaleTimeString();
}

/** What a run is called: by its file if it is a saved one, else by its number. */
export function runName(run: ComparableRun, files: { name: string }[]): string {
  return visible(isSaved(run) ? run.name : (files[run.run]?.name ?? `#${run.run}`));
}
