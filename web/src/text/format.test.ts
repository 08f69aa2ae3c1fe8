import { expect, test } from 'vitest';
import {
  bytes,
  count,
  duration,
  exact,
  milliseconds,
  percent,
  perSecond,
  quantity,
} from './format';

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

test('short times are microseconds', () => {
  expect([0, 0.0123, 0.9996, 2].map(duration)).toEqual(['0 ms', '12.3 µs', '1.00 ms', '2.00 ms']);
});

test('quantities have the prefix that fits', () => {
  expect([0, 12, 999, 1000, 11689512, 999.5e9].map((value) => quantity(value))).toEqual([
    '0',
    '12',
    '999',
    '1.00 k',
    '11.7 M',
    '1.00 T',
  ]);
  expect(quantity(1814073344, 'MAC')).toBe('1.81 GMAC');
  expect(quantity(3.5, 'FLOP/B')).toBe('3.50 FLOP/B');
});

test('a throughput of many digits has a prefix', () => {
  expect([5.25, 999.4, 12345, 99999, 100000, 1762296].map(perSecond)).toEqual([
    '5.25',
    '999',
    '12\u2009345',
    '99\u2009999',
    '100 k',
    '1.76 M',
  ]);
});

test('exact numbers have all their digits', () => {
  expect(exact(11689512, 'B')).toBe('11\u2009689\u2009512 B');
  expect(exact(1.2345678, 'ms')).toBe('1.2345678 ms');
  expect(exact(100 / 3)).toBe('33.3333333');
});

test('what was not measured is a dash', () => {
  const formats = [milliseconds, duration, bytes, percent, count, quantity, exact, perSecond];
  expect(formats.map((format) => format(null))).toEqual(formats.map(() => '–'));
});
