import { expect, test } from 'vitest';
import { exampleMeasurement } from './example';
import { layerTree } from './layer_tree';
import { firstOpen, rowMove, rowsOf, search, siblingOrder, type Sorting } from './rows';

const tree = layerTree(exampleMeasurement());
const called: Sorting = { column: 'layer', descending: false };
const all = new Set([0, 1]);
const nodes = (open: Set<number>, sorting = called, found: Set<number> | null = null) =>
  rowsOf(tree, open, found, siblingOrder(tree, sorting, 'forward')).map(({ node }) => node);

test('rows of what is closed are not there', () => {
  expect(nodes(all)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(nodes(new Set([0]))).toEqual([0, 1, 5]);
  expect(nodes(new Set())).toEqual([0]);
});

test('sorting keeps layers below those that called them', () => {
  expect(nodes(all, { column: 'macs', descending: false })).toEqual([0, 5, 1, 4, 2, 3]);
  expect(nodes(all, { column: 'activations', descending: true })).toEqual([0, 1, 2, 3, 4, 5]);
  expect(nodes(all, { column: 'time', descending: false })).toEqual([0, 5, 1, 4, 2, 3]);
  expect(nodes(all, { column: 'layer', descending: true })).toEqual([0, 5, 1, 4, 3, 2]);
});

test('a search shows what it finds with what leads there, open or not', () => {
  const found = search(tree, 'RELU')!;
  expect([...found]).toEqual([4]);
  expect(nodes(new Set(), called, found)).toEqual([0, 1, 4]);
  expect([...search(tree, 'conv #2')!]).toEqual([3]);
  expect([...search(tree, 'net.py:12')!]).toEqual([2, 3, 4]);
  expect(search(tree, ' ')).toBeNull();
  expect(nodes(all, called, search(tree, 'nowhere'))).toEqual([0]);
});

test('as many levels are open at first as have room', () => {
  expect([...firstOpen(tree, 6)]).toEqual([0, 1]);
  expect([...firstOpen(tree, 5)]).toEqual([0]);
});

test('keys move from row to row, and open and close', () => {
  const rows = rowsOf(tree, new Set([0]), null, siblingOrder(tree, called, 'forward'));
  expect(rowMove(rows, 0, 'ArrowDown')).toEqual({ to: 1 });
  expect(rowMove(rows, 5, 'ArrowDown')).toEqual({ to: 5 });
  expect(rowMove(rows, 1, 'ArrowUp')).toEqual({ to: 0 });
  expect(rowMove(rows, 1, 'End')).toEqual({ to: 5 });
  expect(rowMove(rows, 5, 'Home')).toEqual({ to: 0 });
  expect(rowMove(rows, 1, 'ArrowRight')).toEqual({ open: 1 });
  expect(rowMove(rows, 0, 'ArrowRight')).toEqual({ to: 1 });
  expect(rowMove(rows, 5, 'ArrowRight')).toBeNull();
  expect(rowMove(rows, 0, 'ArrowLeft')).toEqual({ close: 0 });
  expect(rowMove(rows, 5, 'ArrowLeft')).toEqual({ to: 0 });
  expect(rowMove(rows, 5, 'x')).toBeNull();
});
