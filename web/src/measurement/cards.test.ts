import { expect, test } from 'vitest';
import { cardsOf, memoryBars, subjectOf, uncountedText } from './cards';
import { exampleMeasurement } from './example';
import { figuresOf } from './figures';
import { spreadOf } from './spread';
import type { Measurement } from './wire';

const textsOf = (measurement: Measurement) =>
  Object.fromEntries(
    cardsOf(measurement).map(({ id, value, lines }) => [
      id,
      [value.text, ...lines.map(({ text }) => text)],
    ]),
  );

test('cards have a number for people and all digits in the tip', () => {
  const macs = { forward: 1814073344, backward: 3628146688, optimizer: 0 };
  const [, card] = cardsOf(exampleMeasurement({ macs, effective_macs: macs }));
  expect(card.value).toEqual({
    text: '1.81 GMAC',
    tip: '1\u2009814\u2009073\u2009344 MAC',
  });
  expect(card.lines[0].text).toBe('backward 3.63 GMAC');
  expect(card.lines[1].text).toBe('907 MMAC per sample');
});

test('the cards say what there is', () => {
  expect(textsOf(exampleMeasurement())).toEqual({
    parameters: ['150', '632 B', 'all trainable · 8 in buffers'],
    macs: ['1.00 kMAC', 'backward 2.00 kMAC', '500 MAC per sample'],
    flops: ['2.00 kFLOP', 'backward 4.00 kFLOP', '4 FLOP/B'],
    time: ['10.0 ms', 'p10–p90 9.00 ms – 12.0 ms · 20 runs', '200 samples/s · 200 kFLOP/s'],
  });
});

test('and what there is not', () => {
  const none = { forward: 1000, backward: 0, optimizer: 0 };
  const texts = textsOf(
    exampleMeasurement({
      macs: none,
      effective_macs: { ...none, forward: 600 },
      flops: none,
      execution_time_ms: null,
      times_ms: [],
      batch_size: 0,
      parameters: { total: 150, trainable: 100, frozen: 50, buffers: 0 },
    }),
  );
  expect(texts['parameters'][2]).toBe('50 frozen');
  expect(texts['macs'].slice(1)).toEqual(['no backward pass', '600 MAC without masked']);
  expect(texts['time']).toEqual(['–', 'was not measured', '']);
});

test('memory says what comes above the weights, and what was not measured', () => {
  expect(memoryBars(exampleMeasurement()).map(({ name, text }) => [name, text])).toEqual([
    ['weights', '632 B'],
    ['inference', '+ 4.00 KiB'],
    ['training', 'not measured'],
  ]);
  expect(memoryBars(exampleMeasurement())[1].tip).toContain('computed');
});

test('the model is told with its inputs', () => {
  expect(subjectOf(exampleMeasurement())).toBe('2x3x8x8 · batch of 2 · evaluation mode');
  expect(subjectOf(exampleMeasurement({ batch_size: 0, training_mode: true, inputs: '' }))).toBe(
    'training mode',
  );
});

test('what is not counted is said, with its share as far as it is known', () => {
  const operator = (time_share: number | null) => ({ name: 'mine::op', calls: 1, time_share });
  const said = (...shares: (number | null)[]) =>
    uncountedText(exampleMeasurement({ uncounted: shares.map(operator) }));
  expect(said()).toBe('');
  expect(said(0.25)).toBe('1 operator is not counted: 25.0 % of the time');
  expect(said(0.25, 0.05)).toBe('2 operators are not counted: 30.0 % of the time');
  expect(said(0.25, null)).toBe('2 operators are not counted: at least 25.0 % of the time');
  expect(said(null)).toBe('1 operator is not counted; its share of the time is not known');
  expect(said(null, null)).toBe(
    '2 operators are not counted; their share of the time is not known',
  );
});

test('figures that were not measured have no value, and are not zero', () => {
  const none = { forward: 1, backward: 0, optimizer: 0 };
  const figures = figuresOf(exampleMeasurement({ flops: none, execution_time_ms: null }));
  const missing = figures.filter(({ value }) => value === null).map(({ id }) => id);
  expect(missing).toEqual([
    'macs-backward',
    'flops-backward',
    'flops-optimizer',
    'moved-backward',
    'training-peak',
    'time',
    'time-p10',
    'time-p90',
    'runs',
    'throughput',
    'speed',
  ]);
});

test('times stand between the fastest and the slowest', () => {
  const spread = spreadOf(exampleMeasurement())!;
  expect(spread.runs).toEqual([4, 68, 132, 196]);
  expect([spread.from, spread.median, spread.to]).toEqual([4, 68, 196]);
  expect(spreadOf(exampleMeasurement({ times_ms: [] }))).toBeNull();
  expect(spreadOf(exampleMeasurement({ times_ms: [9, 10, 500] }))!.runs[2]).toBe(196);
});
