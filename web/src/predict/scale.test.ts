import { expect, test } from 'vitest';
import { layoutOf } from '../icicle/layout';
import { codeTree } from '../tree/code_tree';
import { timeOf, type Cost } from '../tree/costs';
import { nodeDetails } from '../tree/details';
import { exampleTree } from '../tree/example';
import { Results } from '../tree/results';
import { exampleReport, exampleTable } from './example';
import { predictedMemory } from './memory_layout';
import { Predictions } from './predictions';
import { AS_MEASURED, scaledCategories, scaledCost, scaleOf } from './scale';

const predictions = new Predictions(exampleTable());
const prediction = predictions.at(14);
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
  held: 4,
};

// Of 1400 bytes 300 are parameters, 200 gradients and 60 buffers: 560 stay, 840 grow.
test('time grows by what is predicted, and so does memory that a batch needs', () => {
  const scale = scaleOf(exampleReport(), prediction);
  expect(scale).toEqual({ time: 2.5, held: 1, rest: (3000 - 560) / 840 });
  expect(scaleOf(exampleReport(), null)).toBe(AS_MEASURED);
});

test('parameters, buffers, gradients and optimizer stay, and the sum is the predicted peak', () => {
  const report = exampleReport();
  const categories = scaledCategories(report.memory, scaleOf(report, prediction));
  const rest = 2440 / 840;
  expect(Object.fromEntries(categories)).toEqual({
    parameters: 300,
    gradients: 200,
    optimizer: 0,
    activations: 800 * rest,
    other: 60 + 40 * rest,
  });
  for (const batchSize of [1, 2, 8, 14, 20]) {
    const at = predictions.at(batchSize);
    const sum = scaledCategories(report.memory, scaleOf(report, at)).reduce(
      (all, [, b]) => all + b,
      0,
    );
    expect(sum).toBeCloseTo(at.peakBytes);
  }
});

test('a peak below what is held shrinks that too, rather than not add up', () => {
  const scale = scaleOf(exampleReport(), { ...prediction, peakBytes: 280 });
  expect([scale.held, scale.rest]).toEqual([0.5, 0]);
});

test('where all is held, or categories are not known, all grows alike', () => {
  const held = exampleReport();
  held.memory.at_peak = { parameters: 1400 };
  held.memory.buffers_bytes = null;
  expect(scaleOf(held, prediction).held).toBe(3000 / 1400);
  const unknown = exampleReport();
  Object.assign(unknown.memory, { at_peak: null, buffers_bytes: null });
  expect(scaleOf(unknown, prediction)).toMatchObject({ held: 1, rest: 3000 / 1400 });
});

test('what was not measured is not scaled', () => {
  const unmeasured = exampleReport();
  Object.assign(unmeasured.memory, { peak_bytes: null, at_peak: null, buffers_bytes: null });
  expect(scaleOf(unmeasured, prediction)).toEqual({ time: 2.5, held: 1, rest: 1 });
  unmeasured.iteration.wall_ms = null;
  expect(scaleOf(unmeasured, prediction)).toEqual(AS_MEASURED);
});

test('a cost is scaled by kind, and calls stay as many', () => {
  const scaled = scaledCost(cost, { time: 2, held: 1, rest: 10 });
  expect(timeOf(scaled)).toBe(2 * timeOf(cost));
  expect([scaled.calls, scaled.moduleCalls, scaled.allocated]).toEqual([6, 7, 80]);
  expect([scaled.peak, scaled.held]).toEqual([4 + 5 * 10, 4]);
  expect(scaledCost(cost, AS_MEASURED)).toBe(cost);
});

// Of the example's 1000 bytes 300 are parameters, 200 of them in node 3, which has 600 in all.
test('boxes, their strips and their details grow by what they hold', () => {
  const wire = exampleTree();
  const tree = codeTree(wire);
  const measured = layoutOf(tree, tree.value.memory);
  const scale = { time: 1, held: 1, rest: 3 };
  const { layout, categories } = predictedMemory(tree, measured, wire.categories, scale);
  expect(layout.value[0]).toBe(300 + 3 * 700);
  expect(layout.value[3]).toBe(200 + 3 * 400);
  expect(categories.map((bytes) => bytes[0])).toEqual([300, 2100]);
  const details = nodeDetails(new Results(wire), 'code', 3, scale);
  expect(details.cost.peak).toBe(1400);
  expect(details.ofStep.memory).toBeCloseTo(1400 / 2400);
  expect(predictedMemory(tree, measured, wire.categories, AS_MEASURED).layout).toBe(measured);
});

test('boxes stand largest first after they have grown', () => {
  const wire = exampleTree();
  // Node 2 has 500 bytes of parameters below it, node 6 has 300 of activations beside it.
  wire.nodes.peak_bytes = [0, 0, 0, 500, 0, 0, 300, 0];
  wire.peak = { node: [3, 6], category: [0, 1], bytes: [500, 300] };
  const tree = codeTree(wire);
  const measured = layoutOf(tree, tree.value.memory);
  const childrenOf = ({ order, first }: typeof measured) => [...order.subarray(first[1], first[2])];
  expect(childrenOf(measured)).toEqual([2, 6]);
  const scale = { time: 1, held: 1, rest: 2 };
  const { layout } = predictedMemory(tree, measured, wire.categories, scale);
  expect(childrenOf(layout)).toEqual([6, 2]);
  expect(layout.start[2]).toBe(600);
});
