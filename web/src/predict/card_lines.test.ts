import { expect, test } from 'vitest';
import { deviceLine, hasDevice, memoryLine, stepLines } from './card_lines';
import { exampleReport, exampleTable } from './example';
import { Predictions } from './predictions';

test('a measured step has its spread, a predicted one what was measured', () => {
  const report = exampleReport();
  Object.assign(report.iteration, { p95_ms: 23, steps: 10 });
  expect(stepLines(report, null)).toEqual(['median 20.0 ms · p95 23.0 ms', 'mean of 10 steps']);
  const prediction = new Predictions(exampleTable()).at(8);
  expect(stepLines(report, prediction)).toEqual(['measured 20.0 ms', 'at a batch of 4']);
  expect(stepLines(null, null)).toEqual(['', '']);
});

test('the peak stands beside what the machine has, if that is known', () => {
  const report = exampleReport();
  report.memory.process_peak_bytes = 2048;
  expect(memoryLine(report)).toBe('of 4.88 KiB · process 2.00 KiB');
  report.memory.capacity_bytes = null;
  expect(memoryLine(report)).toBe('process 2.00 KiB');
  expect(memoryLine(null)).toBe('');
});

test('a device is known, and its peak with what it has', () => {
  const report = exampleReport();
  expect(hasDevice(null)).toBe(false);
  report.run = { device: 'cpu' };
  expect(hasDevice(report)).toBe(false);
  expect(deviceLine(report)).toBe('');
  report.run = { device: 'cuda' };
  report.memory.device_peak_bytes = 2048;
  expect(hasDevice(report)).toBe(true);
  expect(deviceLine(report)).toBe('device 2.00 KiB');
  report.memory.device_capacity_bytes = 4096;
  expect(deviceLine(report)).toBe('device 2.00 KiB of 4.00 KiB');
});
