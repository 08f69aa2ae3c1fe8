import { expect, test } from 'vitest';
import { visible, visibleLines } from './visible';

test('ordinary text stays as it is, in any script', () => {
  expect(visible('nets/block.py BasicBlock.forward')).toBe('nets/block.py BasicBlock.forward');
  expect(visible('模型.py ünïcode עברית 🙂')).toBe('模型.py ünïcode עברית 🙂');
});

test('markup stays text', () => {
  expect(visible('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
});

test('control characters become escapes', () => {
  expect(visible('a\u0000b\u001b[31m\r\n\tc\u007f')).toBe('a\\x00b\\x1b[31m\\r\\n\\tc\\x7f');
});

test('direction overrides and invisible characters become escapes', () => {
  expect(visible('safe\u202egnp.py')).toBe('safe\\u202egnp.py');
  expect(visible('\u2066a\u2069\u200b\ufeff')).toBe('\\u2066a\\u2069\\u200b\\ufeff');
  expect(visible('tag\u{e0041}')).toBe('tag\\U000e0041');
});

test('halves of surrogate pairs become escapes', () => {
  expect(visible('\ud83d!')).toBe('\\ud83d!');
});

test('text of several lines keeps newlines and tabs and nothing else', () => {
  expect(visibleLines('a\r\n\tb\u0007\rc')).toBe('a\n\tb\\x07\\rc');
});

test('what is not a text is shown as one', () => {
  expect(visible(null)).toBe('');
  expect(visible(3)).toBe('3');
});
