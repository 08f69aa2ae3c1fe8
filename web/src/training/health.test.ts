import { expect, test } from 'vitest';
import { exampleTree } from '../tree/example';
import { Results } from '../tree/results';
import { exampleSeries, exampleTraining, exampleVerdict } from './example';
import { moduleRows, worstFirst } from './health';

test('cost and health stand side by side, and what is wrong inside shows outside', () => {
  const training = exampleTraining({
    series: [exampleSeries(1), exampleSeries(2, { module: 'head.fc' })],
    verdicts: [exampleVerdict(), exampleVerdict({ module: 'head.fc', severity: 'error' })],
  });
  const rows = moduleRows(training, new Results(exampleTree()));
  expect(rows.map(({ path }) => path)).toEqual(['', 'conv', 'head', 'head.fc']);
  expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 1, 2]);
  expect(rows.map(({ worst }) => worst)).toEqual(['error', 'warning', 'error', 'error']);
  expect(rows.map(({ verdicts }) => verdicts.length)).toEqual([0, 1, 0, 1]);
  expect(rows.every(({ watched }) => watched)).toBe(true);
  // conv2d takes 8 ms forward and 16 ms backward in two steps, and holds 600 bytes at the peak.
  expect(rows[1]).toMatchObject({ type: 'Conv2d', ms: 12, bytes: 600 });
  expect(rows[3]).toMatchObject({ type: '', ms: null, bytes: null });
});

test('a module that nobody looked at is not called healthy', () => {
  const series = [exampleSeries(1, { module: '', tensor: '', topic: 'loss' })];
  const rows = moduleRows(exampleTraining({ series }), new Results(exampleTree()));
  expect(rows.map(({ watched }) => watched)).toEqual([false, false]);
});

test('modules stand in the order of their numbers, without steps too', () => {
  const series = ['net.10', 'net.9', 'net.2.a'].map((module, id) => exampleSeries(id, { module }));
  const rows = moduleRows(exampleTraining({ series }), null);
  expect(rows.map(({ path }) => path)).toEqual(['', 'net', 'net.2', 'net.2.a', 'net.9', 'net.10']);
  expect(rows.every(({ ms, worst }) => ms === null && worst === null)).toBe(true);
});

test('the worst verdicts come first, then the earliest', () => {
  const verdicts = [
    exampleVerdict({ step: 5 }),
    exampleVerdict({ severity: 'strange', step: 1 }),
    exampleVerdict({ severity: 'error', step: 9 }),
    exampleVerdict({ step: 2 }),
  ];
  expect(worstFirst(verdicts).map(({ step }) => step)).toEqual([9, 2, 5, 1]);
});
