import { expect, test } from 'vitest';
import { hintPlace } from './guide';

const page = { width: 1280, height: 800 };

test('a hint stands inside a high part and below a low one', () => {
  expect(hintPlace({ left: 100, top: 100, width: 500, height: 600 }, page)).toEqual({
    left: 200,
    top: 300,
  });
  expect(hintPlace({ left: 100, top: 50, width: 500, height: 40 }, page)).toEqual({
    left: 200,
    top: 100,
  });
});

test('a hint never leaves the window', () => {
  expect(hintPlace({ left: 1270, top: 790, width: 10, height: 10 }, page)).toEqual({
    left: 970,
    top: 640,
  });
  expect(hintPlace({ left: 0, top: 0, width: 0, height: 0 }, { width: 320, height: 200 })).toEqual({
    left: 10,
    top: 10,
  });
});
