import { expect, test } from 'vitest';
import { channels } from './colours';

test('a colour is read in its long and its short form', () => {
  expect(channels('#0072b2')).toEqual([0, 0x72, 0xb2]);
  expect(channels('#fff')).toEqual(channels('#ffffff'));
});
