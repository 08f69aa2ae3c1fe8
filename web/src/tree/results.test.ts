import { expect, test } from 'vitest';
import { AS_MEASURED } from '../predict/scale';
import { lineDetails, nodeDetails } from './details';
import { exampleTree } from './example';
import { lineKey } from './lines';
import { Results } from './results';
import { amountOf, filesByCost, matching, rowsOf, sorted } from './rows';

const results = new Results(exampleTree());

test('a node lights its line, a line lights all its nodes', () => {
  expect([...results.linesOf('code', 3)]).toEqual([lineKey(1, 2)]);
  expect([...results.nodesOf('code', lineKey(1, 2))]).toEqual([2, 3, 4, 5]);
  expect(results.linesOf('code', 0).size).toBe(0);
});

test('a module lights the lines that run in it and below it', () => {
  expect([...results.linesOf('module', 1)]).toEqual([lineKey(1, 2), lineKey(1, 3)]);
  expect([...results.linesOf('module', 2)]).toEqual([lineKey(1, 2)]);
  expect([...results.nodesOf('module', lineKey(1, 2))]).toEqual([1, 2]);
});

test('details have the share of the step and of the parent', () => {
  const conv = nodeDetails(results, 'code', 3, AS_MEASURED);
  expect(conv.title).toBe('aten::conv2d');
  expect(conv.place).toBe('model.py:2');
  expect(conv.ofStep.time).toBeCloseTo(12 / 25);
  expect(conv.ofParent!.time).toBeCloseTo(12 / 15);
  expect(nodeDetails(results, 'code', 0, AS_MEASURED).ofParent).toBeNull();
});

test('details of a line add up its nodes', () => {
  const line = lineDetails(results, lineKey(1, 2), AS_MEASURED)!;
  expect(line.title).toBe('model.py:2');
  expect(line.cost.calls).toBe(2);
  expect(line.ofStep.memory).toBeCloseTo(0.8);
  expect(lineDetails(results, lineKey(1, 99), AS_MEASURED)).toBeNull();
});

test('rows are the lines of what is zoomed on, and can be sorted', () => {
  const rows = sorted(rowsOf(results, 'code', 0), { column: 'self', descending: true });
  expect(rows.map((row) => row.name)).toEqual([
    'model.py:2',
    'train.py:9',
    'model.py:3',
    'train.py:5',
  ]);
  expect(amountOf(rows[0], 'self')).toBe(15);
  expect(rowsOf(results, 'code', 2).map((row) => row.name)).toEqual(['model.py:2']);
});

test('rows by module have the module and its type', () => {
  const rows = sorted(rowsOf(results, 'module', 0), { column: 'name', descending: false });
  expect(rows.map((row) => [row.name, row.detail])).toEqual([
    ['conv', 'Conv2d'],
    ['Net', ''],
    ['outside modules', ''],
  ]);
});

test('rows are filtered by name and function', () => {
  expect(matching(rowsOf(results, 'code', 0), 'TRAIN').length).toBe(2);
});

test('files with costs come first', () => {
  expect(filesByCost(results, ['a.py', 'model.py'], 'time')).toEqual([
    'model.py',
    'train.py',
    'a.py',
  ]);
  expect(filesByCost(null, ['b.py', 'a.py'], 'time')).toEqual(['a.py', 'b.py']);
});
