import { expect, test } from 'vitest';
import { codeTree } from './code_tree';
import { costAt, timeOf } from './costs';
import { isWithin, pathTo, samePlace } from './cost_tree';
import { exampleTree } from './example';
import { fileOf, lineCosts, lineKey, lineOf } from './lines';
import { moduleTree, OUTSIDE } from './module_tree';

const wire = exampleTree();
const code = codeTree(wire);
const modules = moduleTree(wire, code.own);

test('the total of the step is the sum of what every node has of its own', () => {
  expect(code.value.time.total[0]).toBeCloseTo(25);
  expect(code.value.memory.total[0]).toBe(1000);
  expect(code.categories.map((bytes) => bytes[0])).toEqual([300, 700]);
});

test('times and calls are per step, bytes at the peak are not', () => {
  const conv = costAt(code.total, 3);
  expect(conv.forward).toBe(4);
  expect(conv.calls).toBe(1);
  expect(conv.allocated).toBe(2048);
  expect(conv.peak).toBe(600);
});

test('a line has what it called, and counts once where it calls itself', () => {
  const line = lineCosts(code).get(lineKey(1, 2))!;
  expect(line.nodes).toEqual([2, 3, 4, 5]);
  expect(timeOf(line.own)).toBe(15);
  expect(timeOf(line.total)).toBe(15);
  expect(timeOf(line.parents)).toBe(19);
});

test('costs of lines can be asked for a part of the tree', () => {
  const lines = lineCosts(code, 2);
  expect([...lines.keys()]).toEqual([lineKey(1, 2)]);
  expect(timeOf(lines.get(lineKey(1, 2))!.total)).toBe(15);
});

test('a key names its file and line', () => {
  expect([fileOf(lineKey(3, 77)), lineOf(lineKey(3, 77))]).toEqual([3, 77]);
});

test('modules have the same sum as the code', () => {
  expect(modules.value.time.total[0]).toBeCloseTo(code.value.time.total[0]);
  expect(modules.value.memory.total[0]).toBe(1000);
  expect(modules.categories.map((bytes) => bytes[0])).toEqual([300, 700]);
});

test('a module has its own and that of the modules below it', () => {
  expect(modules.labels.map((label) => label.name)).toEqual(['step', 'Net', 'conv', OUTSIDE]);
  expect(Array.from(modules.value.time.own)).toEqual([0, 6, 12, 7]);
  expect(modules.value.time.total[1]).toBe(18);
});

test('a path leads from the step to the node', () => {
  expect(pathTo(code, 5)).toEqual([0, 1, 2, 4, 5]);
  expect(isWithin(code, 5, 2)).toBe(true);
  expect(isWithin(code, 6, 2)).toBe(false);
});

test('a node is found again in a newer tree, or the nearest above it', () => {
  const newer = exampleTree();
  newer.operators = ['aten::conv3d', 'aten::relu'];
  expect(samePlace(code, 5, codeTree(newer))).toBe(5);
  expect(samePlace(code, 3, codeTree(newer))).toBe(2);
});

test('a module that a line called has the name of the module and the place of the line', () => {
  const called = exampleTree();
  called.nodes.kind[2] = 1;
  const [label, place] = [codeTree(called).labels[2], { file: 1, line: 2 }];
  expect(label).toEqual({ name: 'Net', kind: 'module', function: 'Net', place });
});
