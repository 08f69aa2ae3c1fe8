import { expect, test } from 'vitest';
import { exampleTable } from './example';
import { Predictions, predictionsOf } from './predictions';

const predictions = new Predictions(exampleTable());
const sizes = Array.from({ length: 20 }, (_, i) => i + 1);

test('values are those of the rows, and straight between them', () => {
  expect(predictions.at(4)).toEqual({
    batchSize: 4,
    iterationMs: 18,
    iterationIntervalMs: 1,
    peakBytes: 1400,
    peakIntervalBytes: 0,
    samplesPerSecond: 4000 / 18,
    samplesPerSecondInterval: 4000 / 18 / 18,
  });
  expect(predictions.at(14).iterationMs).toBe(50);
  expect(predictions.at(14).peakBytes).toBe(3000);
  expect(predictions.at(14).peakIntervalBytes).toBe(400);
  expect(predictions.at(20).iterationMs).toBe(74);
});

test('beyond the table its ends count', () => {
  expect(predictions.at(0).batchSize).toBe(1);
  expect(predictions.at(1000)).toEqual(predictions.at(20));
});

test('the smallest batch with a throughput is what trying all of them finds', () => {
  for (let wanted = 1; wanted < 320; wanted += 0.7) {
    const tried = sizes.find((size) => predictions.at(size).samplesPerSecond >= wanted);
    expect(predictions.batchSizeForThroughput(wanted)).toBe(tried ?? null);
  }
});

test('the largest batch within some memory is what trying all of them finds', () => {
  for (let wanted = 900; wanted < 4500; wanted += 7) {
    const tried = sizes.findLast((size) => predictions.at(size).peakBytes <= wanted);
    expect(predictions.batchSizeForMemory(wanted)).toBe(tried ?? null);
  }
});

test('a size and back again is the same size', () => {
  for (const size of sizes) {
    expect(predictions.batchSizeForMemory(predictions.at(size).peakBytes)).toBe(size);
    if (size > 8) continue; // from there on throughput falls
    expect(predictions.batchSizeForThroughput(predictions.at(size).samplesPerSecond)).toBe(size);
  }
});

test('the best batch may be in the middle', () => {
  expect(predictions.best.batchSize).toBe(8);
  expect(predictions.batchSizeForThroughput(predictions.best.samplesPerSecond * 1.001)).toBeNull();
});

test('memory that falls with the batch, or does not change, has a largest size too', () => {
  const falls = new Predictions({ ...exampleTable(), peak_bytes: [5, 4, 6, 3, 2] });
  expect(falls.batchSizeForMemory(3)).toBe(20);
  expect(falls.batchSizeForMemory(1)).toBeNull();
  const flat = new Predictions({ ...exampleTable(), peak_bytes: [7, 7, 7, 7, 7] });
  expect(flat.batchSizeForMemory(7)).toBe(20);
  expect(flat.batchSizeForMemory(6)).toBeNull();
});

test('a step that takes no time has no throughput', () => {
  const still = new Predictions({ ...exampleTable(), iteration_ms: [0, 0, 0, 0, 0] });
  expect(still.at(4).samplesPerSecond).toBe(0);
  expect(still.batchSizeForThroughput(1)).toBeNull();
});

test('where only one sample fits, everything leads to it', () => {
  const one = new Predictions({
    batch_size: [1],
    iteration_ms: [10],
    iteration_interval_ms: [1],
    peak_bytes: [100],
    peak_interval_bytes: [3],
  });
  expect(one.at(5).iterationMs).toBe(10);
  expect(one.batchSizeForMemory(1e9)).toBe(1);
  expect(one.batchSizeForThroughput(50)).toBe(1);
});

test('without rows there are no predictions', () => {
  expect(predictionsOf(null)).toBeNull();
  expect(predictionsOf(undefined)).toBeNull();
  const empty = { ...exampleTable(), batch_size: [] };
  expect(predictionsOf(empty)).toBeNull();
});
