import { expect, test } from 'vitest';
import type { Finding } from '../protocol';
import { figuresOf } from './figures';
import { pictureOf } from './picture';

const finding = (evidence: unknown) => ({ evidence }) as Finding;

test('figures have their names in words and their units', () => {
  const said = figuresOf(
    finding({
      data_ms: 8.4,
      share_percent: 38.2,
      us_per_call: 12.3,
      freed_bytes: 2048,
      bytes: 1024,
      samples_per_second_now: 1234,
      slow_steps: 3,
      ms: 2,
      not_measured: null,
    }),
  );
  expect(said.map(({ name, text }) => `${name} ${text}`)).toEqual([
    'data 8.40 ms',
    'share 38.2 %',
    'each 12.3 µs',
    'freed 2.00 KiB',
    'memory 1.00 KiB',
    'samples now 1\u2009234/s',
    'slow steps 3',
    'time 2.00 ms',
  ]);
  expect(figuresOf(finding(undefined))).toEqual([]);
});

test('a share is a part of the step, and what can be saved a part of the share', () => {
  expect(pictureOf(finding({ optimizer_ms: 4, share_percent: 40, gain_percent: 25 }))).toEqual({
    kind: 'share',
    text: '40.0 % of the step; 25.0 % can be saved at best',
    share: 0.4,
    saved: 0.25,
  });
  expect(pictureOf(finding({ ms: 4, share_percent: 130 }))).toMatchObject({ share: 1, saved: 0 });
});

test('a share of bytes is one of the peak, and what is freed is saved', () => {
  expect(pictureOf(finding({ bytes: 4096, share_percent: 60 }))!.text).toBe('60.0 % of the peak');
  expect(pictureOf(finding({ freed_bytes: 4096, share_percent: 30 }))).toMatchObject({
    text: '30.0 % of the peak, which can be saved at best',
    saved: 0.3,
  });
});

test('a gain stands beside what there is now, with its interval', () => {
  const picture = pictureOf(
    finding({
      batch_size: 64,
      samples_per_second: 180,
      samples_per_second_now: 100,
      interval_percent: 10,
      peak_bytes: 1e6,
    }),
  );
  expect(picture).toMatchObject({
    kind: 'bars',
    text: 'now 100 samples/s, a batch of 64 180 samples/s ± 18.0',
  });
  if (picture?.kind !== 'bars') throw new Error('not bars');
  expect(picture.bars[0].length).toBeCloseTo(100 / 198);
  expect(picture.bars[1].length).toBeCloseTo(180 / 198);
  expect(picture.bars[1].interval!.from).toBeCloseTo(162 / 198);
  expect(picture.bars[1].interval!.to).toBe(1);
});

test('slow steps at a fixed distance are a row of steps, others one of each kind', () => {
  const slow = { slow_steps: 5, steps: 40, usual_ms: 2, slow_ms: 8, gain_percent: 20 };
  expect(pictureOf(finding({ ...slow, period: 4 }))).toEqual({
    kind: 'steps',
    text: 'one of 4 steps takes 8.00 ms, the others 2.00 ms',
    heights: [0.25, 0.25, 0.25, 1, 0.25, 0.25, 0.25, 1, 0.25, 0.25, 0.25, 1],
  });
  const rare = pictureOf(finding({ ...slow, period: 50 }));
  expect(rare).toMatchObject({ kind: 'steps' });
  expect(rare?.kind === 'steps' && rare.heights.length).toBe(100);
  expect(pictureOf(finding(slow))).toMatchObject({
    kind: 'bars',
    bars: [{ length: 0.25 }, { length: 1 }],
  });
  expect(pictureOf(finding({ ...slow, period: 1000 }))).toMatchObject({ kind: 'bars' });
});

test('calls alone are marks, and not more than can be told apart', () => {
  expect(pictureOf(finding({ calls: 3.2 }))).toEqual({
    kind: 'marks',
    text: '3 in a step',
    count: 3,
  });
  expect(pictureOf(finding({ calls: 500 }))).toMatchObject({
    text: '500 in a step, of which 60 are drawn',
    count: 60,
  });
});

test('evidence that has nothing to compare has no picture', () => {
  for (const evidence of [
    undefined,
    {},
    { share_percent: null },
    { calls: 'many' },
    { epoch: 3 },
  ]) {
    expect(pictureOf(finding(evidence))).toBeNull();
  }
});
