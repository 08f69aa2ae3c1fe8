import { expect, test } from 'vitest';
import type { PastRun, SavedRun } from '../protocol';
import { Comparing } from './comparing.svelte';
import { canBeCompared, counts, pairOf, toneOf, versionOf, type Change } from './comparison';
import { trendPoints, trendScale } from './trend';
import { fromTo, runName, signed, timeText } from './words';

const run = (number: number, over: Partial<PastRun> = {}): PastRun => ({
  run: number,
  started: '',
  step_ms: 1,
  peak_bytes: 1,
  cached: false,
  kept: true,
  ...over,
});
const file = (id: string, over: Partial<SavedRun> = {}): SavedRun => ({
  run: id,
  name: `${id}.sightline`,
  started: 'noon',
  step_ms: 1,
  peak_bytes: 1,
  growing: false,
  problem: '',
  ...over,
});
const nothing = { before: null, after: null };
const numbers = (...args: Parameters<typeof pairOf>) => {
  const pair = pairOf(...args);
  return pair && [pair.before.run, pair.after.run];
};
const change = (over: Partial<Change>): Change => ({
  before: 1,
  after: 1,
  difference: 0,
  percent: 0,
  noise: 0.1,
  verdict: 'same',
  ...over,
});

test('a session compares the newest result with the one before it', () => {
  expect(numbers([run(1), run(2), run(4)], [], nothing, false)).toEqual([2, 4]);
});

test('a view compares the first run with the last', () => {
  expect(numbers([run(0), run(1), run(2)], [], nothing, true)).toEqual([0, 2]);
});

test('runs that are kept no longer are passed over', () => {
  expect(numbers([run(1), run(2, { kept: false }), run(3)], [], nothing, false)).toEqual([1, 3]);
  expect(numbers([run(1, { kept: false }), run(2)], [], nothing, false)).toBeNull();
  expect(numbers([], [], nothing, false)).toBeNull();
});

test('what was chosen is kept to, while it is there', () => {
  const runs = [run(1), run(2), run(3)];
  expect(numbers(runs, [], { before: 3, after: 1 }, false)).toEqual([3, 1]);
  expect(numbers(runs, [], { before: 3, after: null }, false)).toEqual([3, 2]);
  expect(numbers(runs, [], { before: 9, after: 2 }, false)).toEqual([1, 2]);
  expect(numbers(runs, [], { before: null, after: 1 }, false)).toEqual([2, 1]);
});

test('a saved run is compared once it is chosen', () => {
  const results = [run(1), run(2)];
  const saved = [file('a'), file('b'), file('damaged', { problem: 'it is cut off' })];
  expect(numbers(results, saved, nothing, false)).toEqual([1, 2]);
  expect(numbers(results, saved, { before: 'a', after: null }, false)).toEqual(['a', 2]);
  expect(numbers(results, saved, { before: null, after: 'a' }, false)).toEqual([2, 'a']);
  expect(numbers(results, saved, { before: 'b', after: 'a' }, false)).toEqual(['b', 'a']);
  expect(numbers(results, saved, { before: 'damaged', after: 'gone' }, false)).toEqual([1, 2]);
  expect(numbers([run(1)], saved, nothing, false)).toBeNull();
  expect(numbers([run(1)], saved, { before: 'b', after: null }, false)).toEqual(['b', 1]);
  expect(numbers([], saved, { before: 'b', after: null }, false)).toBeNull();
  expect(saved.map(canBeCompared)).toEqual([true, true, false]);
});

test('both runs can be chosen one after the other, and change places', () => {
  const comparing = new Comparing();
  comparing.choose('before', 'a', null);
  comparing.choose('after', 'b', null);
  expect(comparing.asked).toEqual({ before: 'a', after: 'b' });
  comparing.choose('before', 'b', { before: file('a'), after: file('b') });
  expect(comparing.asked).toEqual({ before: 'b', after: 'a' });
});

test('a comparison is made anew when a recording has ended, or another file has the name', () => {
  const before = versionOf(file('a', { growing: true }));
  expect(versionOf(file('a', { growing: true, step_ms: 2 }))).toBe(before);
  expect(versionOf(file('a'))).not.toBe(before);
  expect(versionOf(file('a', { started: 'later' }))).not.toBe(versionOf(file('a')));
});

test('only what is more than chance counts', () => {
  expect(counts(change({}), change({ verdict: null }))).toBe(false);
  expect(counts(change({}), change({ verdict: 'worse' }))).toBe(true);
  expect(
    (['same', 'better', 'worse', 'added', 'removed', null] as const).map((verdict) =>
      toneOf(change({ verdict })),
    ),
  ).toEqual(['calm', 'good', 'bad', 'bad', 'good', 'calm']);
});

test('differences have a sign', () => {
  const plain = (value: number) => `${value}`;
  expect([0, 2, -2, null].map((value) => signed(value, plain))).toEqual(['0', '+2', '−2', '–']);
  expect(fromTo(change({ after: null }), (value) => `${value}`)).toBe('1 → null');
});

test('a run is called by its file or its number', () => {
  expect(runName(run(1), [])).toBe('#1');
  expect(runName(run(0), [{ name: 'a\u202e' }])).toBe('a\\u202e');
  expect(runName(file('b\u202e'), [])).toBe('b\\u202e.sightline');
});

test('a time that is none is shown as the text it is', () => {
  expect(timeText('<b>\u202e', true)).toBe('<b>\\u202e');
});

test('a chart begins at zero and leaves out what was not measured', () => {
  const chart = (values: (number | null)[]) => trendPoints(values, 112, trendScale(values, 32));
  const points = chart([10, null, 5]);
  expect(points).toEqual([
    { index: 0, x: 6, y: 6 },
    { index: 2, x: 106, y: 16 },
  ]);
  expect(chart([3])).toEqual([{ index: 0, x: 56, y: 6 }]);
  expect(chart([0])).toEqual([{ index: 0, x: 56, y: 26 }]);
  expect(trendScale([10, 20], 32)(10)).toBe(16);
});
