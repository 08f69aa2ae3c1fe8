import { expect, test } from 'vitest';
import { timeOf, type Cost } from '../tree/costs';
import { exampleReport, exampleTable } from './example';
import { Predictions } from './predictions';
import { AS_MEASURED, growthOf, scaledCost, scaleOf } from './scale';

const prediction = new Predictions(exampleTable()).at(14);
const cost: Cost = {
  forward: 1,
  backward: 2,
  python: 3,
  optimizer: 4,
  data: 5,
  calls: 6,
  moduleCalls: 7,
  allocated: 8,
  peak: 9,
};

test('time and memory grow by what is predicted over what was measured', () => {
  expect(scaleOf(exampleReport(), prediction)).toEqual({ time: 2.5, memory: 3000 / 1400 });
  expect(scaleOf(exampleReport(), null)).toBe(AS_MEASURED);
  const unmeasured = exampleReport();
  unmeasured.memory.peak_bytes = null;
  expect(scaleOf(unmeasured, prediction).memory).toBe(1);
});

test('a cost is scaled by kind, and calls stay as many', () => {
  const scaled = scaledCost(cost, { time: 2, memory: 10 });
  expect(timeOf(scaled)).toBe(2 * timeOf(cost));
  expect([scaled.calls, scaled.moduleCalls, scaled.allocated, scaled.peak]).toEqual([6, 7, 80, 90]);
  expect(scaledCost(cost, AS_MEASURED)).toBe(cost);
});

test('columns of the table grow as those of the tree', () => {
  const scale = { time: 2, memory: 10 };
  const columns = ['time', 'self', 'forward', 'python', 'memory', 'allocated', 'calls'];
  expect(columns.map((column) => growthOf(column, scale))).toEqual([2, 2, 2, 2, 10, 10, 1]);
});
