import { expect, test } from 'vitest';
import type { LineChange } from './comparison';
import { lineNow } from './line_now';

const place = (line: number, source: string, file = 'model.py') => ({
  file,
  line,
  function: 'forward',
  source,
});
const lines = [
  { a: place(4, 'x = f(x)'), b: place(4, 'x = f(x)') },
  { a: place(5, 'x = old(x)'), b: null },
  { a: null, b: place(6, 'x = g(x)') },
  { a: null, b: place(1, 'x = g(x)', 'other.py') },
] as LineChange[];
const moved = ['# one more', '# and one more', '', '', '', 'x = f(x)', '', 'x = g(x)'].join('\n');

test('a line of a compared run is found where it has moved to', () => {
  expect(lineNow(lines, 'b', place(6, 'x = g(x)'), moved)).toEqual({ line: 8, isThere: true });
});

test('one that is gone is looked for beside its nearest neighbour', () => {
  expect(lineNow(lines, 'a', place(5, 'x = old(x)'), moved)).toEqual({ line: 7, isThere: false });
  expect(lineNow(lines, 'a', place(5, 'x = old(x)'), '')).toEqual({ line: 5, isThere: false });
});
