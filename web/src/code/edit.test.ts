import { expect, test } from 'vitest';
import { mapBySource, mapByText, minimalChange } from './edit';

test('a change leaves what both texts share', () => {
  expect(minimalChange('a = 1\nb = 2\n', 'a = 1\nb = 30\n')).toEqual({
    from: 10,
    to: 11,
    insert: '30',
  });
  expect(minimalChange('same', 'same')).toBeNull();
});

test('a change makes the new text of the old one', () => {
  for (const [before, after] of [
    ['aaa', 'aa'],
    ['aa', 'aaa'],
    ['', 'x'],
    ['abab', 'ab'],
  ]) {
    const change = minimalChange(before, after)!;
    expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
  }
});

test('lines after an insertion move with it', () => {
  const map = mapByText('one\ntwo\nthree', 'one\nnew\nnew\ntwo\nthree', [1, 2, 3]);
  expect([...map]).toEqual([
    [1, 1],
    [2, 4],
    [3, 5],
  ]);
});

test('a line that was edited away has no place, its neighbours keep theirs', () => {
  const map = mapByText('one\ntwo\nthree', 'one\nTWO\nthree', [1, 2, 3]);
  expect([...map.keys()]).toEqual([1, 3]);
});

test('between two edits lines are found by their text', () => {
  const map = mapByText('a\nkeep = f(x)\nb', 'A\nA\n  keep = f(x)\nB', [2]);
  expect(map.get(2)).toBe(3);
});

test('without the old text a line is the nearest one that says the same', () => {
  const map = mapBySource(
    [
      [2, 'x = f(x)'],
      [9, 'x = f(x)'],
      [5, 'gone()'],
    ],
    ['', '', 'x = f(x)', '', '', '', '', '', '', '    x = f(x)'],
  );
  expect([...map]).toEqual([
    [2, 3],
    [9, 10],
  ]);
});
