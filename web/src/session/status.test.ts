import { expect, test } from 'vitest';
import type { Hello, State } from '../protocol';
import { NEW_SESSION, reduce } from './reduce';
import { oldness, statusOf } from './status';

const hello = { type: 'hello', mode: 'interactive', runs: [] } as unknown as Hello;
const measuring: State = {
  type: 'state',
  state: 'measuring',
  analysis: 2,
  text: 'measuring: 5 steps',
  shown: null,
  current: false,
};

test('before anything is known the page is connecting', () => {
  expect(statusOf(NEW_SESSION).label).toBe('Connecting');
  expect(oldness(NEW_SESSION)).toBe('');
});

test('the text of a state does not repeat its name', () => {
  const session = [hello, measuring].reduce(reduce, NEW_SESSION);
  expect(statusOf(session)).toEqual({ tone: 'busy', label: 'Measuring', text: '5 steps' });
});

test('a state that is yet unknown is named as the server names it', () => {
  const state = { ...measuring, state: 'dreaming', text: '' } as unknown as State;
  expect(statusOf([hello, state].reduce(reduce, NEW_SESSION)).label).toBe('dreaming');
});

test('a view has no state but that it is saved', () => {
  const view = reduce(NEW_SESSION, { ...hello, mode: 'view' });
  expect(statusOf(view).label).toBe('Saved run');
});
