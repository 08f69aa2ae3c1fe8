import { expect, test } from 'vitest';
import { tracebackParts } from './traceback';

const files = new Set(['model.py']);

test('lines of the project can be gone to, others are plain text', () => {
  const text = 'Traceback:\n  File "/p/model.py", line 31, in f\n  File "/lib/torch.py", line 4';
  const parts = tracebackParts(text, '/p', files);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter((part) => part.place)).toEqual([
    { text: 'File "/p/model.py", line 31', place: { file: 'model.py', line: 31 } },
  ]);
});

test('a text without frames is one part, an empty one none', () => {
  expect(tracebackParts('killed', '/p', files)).toEqual([{ text: 'killed', place: null }]);
  expect(tracebackParts('', '/p', files)).toEqual([]);
});
