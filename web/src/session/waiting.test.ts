import { expect, test } from 'vitest';
import type { Hello, State } from '../protocol';
import { NEW_SESSION, reduce } from './reduce';
import { waitingFor } from './waiting';

const hello = { type: 'hello', mode: 'interactive', runs: [] } as unknown as Hello;
const importing = { type: 'state', state: 'importing', text: 'importing model.py' } as State;

test('the first analysis shows how far it has come', () => {
  const waiting = waitingFor([hello, importing].reduce(reduce, NEW_SESSION), '');
  expect(waiting.text).toBe('importing model.py');
  expect(waiting.steps.map((step) => step.progress)).toEqual(['done', 'now', 'later']);
});

test('a run that cannot be read says why', () => {
  const view = reduce(NEW_SESSION, { ...hello, mode: 'view' });
  expect(waitingFor(view, 'not a run file').text).toBe('not a run file');
});

test('a server that refuses is quoted', () => {
  const refused = reduce(NEW_SESSION, { type: 'error', code: 'protocol', text: 'reload' });
  expect(waitingFor(refused, '').text).toBe('reload');
});
