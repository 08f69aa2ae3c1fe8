import { expect, test } from 'vitest';
import { bytes, count, milliseconds, percent, perSecond } from './format';

test('times have three digits and the unit that fits', () => {
  expect([41.634, 9.996, 0.1234, 0.001, 0, 1234.5, 128.4].map(milliseconds)).toEqual([
    '41.6 ms',
    '10.0 ms',
    '0.12 ms',
    '<0.01 ms',
    '0 ms',
    '1.23 s',
    '128 ms',
  ]);
});

test('bytes count in 1024', () => {
  expect([0, 512, 1024, 27978104, 25274793984].map(bytes)).toEqual([
    '0 B',
    '512 B',
    '1.00 KiB',
    '26.7 MiB',
    '23.5 GiB',
  ]);
});

test('a size just below a unit is written in that unit', () => {
  expect(bytes(1024 * 1024 - 1)).toBe('1.00 MiB');
});

test('shares are percent, and small ones are not zero', () => {
  expect([0, 0.0001, 0.334, 1].map(percent)).toEqual(['0 %', '<0.1 %', '33.4 %', '100 %']);
});

test('counts are whole, or a mean with one digit', () => {
  expect([6, 1.5, 12345].map(count)).toEqual(['6', '1.5', '12\u2009345']);
});

test('what was not measured is a dash', () => {
  expect([milliseconds, bytes, percent, count, perSecond].map((f) => f(null))).toEqual(
    Array(5).fill('–'),
  );
});
