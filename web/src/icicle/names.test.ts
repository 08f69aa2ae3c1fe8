import { expect, test } from 'vitest';
import type { Label } from '../tree/cost_tree';
import { fitted, namesOf } from './names';

const line: Label = {
  name: 'nets/model.py:29',
  kind: 'line',
  function: 'Block.forward',
  place: { file: 0, line: 29 },
};

test('a box says as much of its name as there is room for', () => {
  const names = namesOf(line);
  expect([40, 28, 14, 5].map((room) => fitted(names, room))).toEqual([
    'Block.forward  nets/model.py:29',
    'Block.forward  model.py:29',
    'forward:29',
    ':29',
  ]);
});

test('modules and operators keep the last part of their path', () => {
  const module: Label = { name: 'layer1.0.conv1', kind: 'module', function: 'Conv2d', place: null };
  const operator: Label = { name: 'aten::conv2d', kind: 'operator', function: '', place: null };
  expect(fitted(namesOf(module), 6)).toBe('conv1');
  expect(fitted(namesOf(operator), 7)).toBe('conv2d');
});

test('what has no room at all is cut, and left out where a cut says nothing', () => {
  expect(fitted(['normalization'], 6)).toBe('norma…');
  expect(fitted(['normalization'], 2)).toBe('');
});

test('names in boxes cannot hide what they are', () => {
  expect(namesOf({ name: 'a\u202eb', kind: 'rest', function: '', place: null })).toEqual([
    'a\\u202eb',
  ]);
});
