import { expect, test } from 'vitest';
import { terminalText } from './terminal';

test('colours and cursor movements are left out', () => {
  expect(terminalText('\u001b[1;31mloss\u001b[0m 0.5\u001b[K')).toBe('loss 0.5');
});

test('a progress bar is seen as it is now', () => {
  expect(terminalText('epoch 1\n 10 %\r 50 %\r100 %\ndone\r\n')).toBe('epoch 1\n100 %\ndone\n');
});

test('what was longer is not wiped out, as in a terminal', () => {
  expect(terminalText('abcdef\rxy')).toBe('xycdef');
});

test('other control characters stay for others to show', () => {
  expect(terminalText('a\u0007\u001b]0;title\u0007')).toBe('a\u0007\u001b]0;title\u0007');
});
