import { expect, test } from 'vitest';
import { exampleTree } from '../tree/example';
import { lineKey } from '../tree/lines';
import { Results } from '../tree/results';
import { Placement } from './placement';

const results = new Results(exampleTree());
const analysed = 'class Net:\n  x = f(x)\n  y = g(x)\n';
const lines = [
  { file: 'model.py', line: 2, source: 'x = f(x)' },
  { file: 'model.py', line: 3, source: 'y = g(x)' },
];
const edited = { path: 'model.py', text: `import f\n${analysed}`, hash: 'new' };

test('in the text that was analysed every line is where it was', () => {
  const same = new Placement(
    results,
    { path: 'model.py', text: analysed, hash: 'b' },
    lines,
    () => null,
  );
  expect(same.edited).toBe(false);
  expect(same.shown([lineKey(1, 2), lineKey(0, 5)])).toEqual([2]);
  expect(same.keyAt(3)).toBe(lineKey(1, 3));
  expect(same.keyAt(1)).toBeNull();
});

test('in an edited text lines are found by the text that was analysed', () => {
  const moved = new Placement(results, edited, [], (hash) => (hash === 'b' ? analysed : null));
  expect(moved.edited).toBe(true);
  expect(moved.shown([lineKey(1, 2), lineKey(1, 3)])).toEqual([3, 4]);
  expect(moved.keyAt(3)).toBe(lineKey(1, 2));
});

test('without that text they are found by what the report says of them', () => {
  const moved = new Placement(results, edited, lines, () => null);
  expect(moved.shown([lineKey(1, 2), lineKey(1, 3)])).toEqual([3, 4]);
});

test('a file without results has no lines', () => {
  const other = new Placement(
    results,
    { path: 'other.py', text: '', hash: 'x' },
    lines,
    () => null,
  );
  expect(other.edited).toBe(false);
  expect(other.keyAt(2)).toBeNull();
});
