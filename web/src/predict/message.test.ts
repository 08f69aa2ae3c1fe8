import { expect, test } from 'vitest';
import { exampleTable } from './example';
import { messageOf, type DragFacts } from './message';
import { Predictions } from './predictions';

const predictions = new Predictions(exampleTable());
const calm: DragFacts = {
  prediction: null,
  predictions,
  resists: '',
  whyNot: '',
  trouble: '',
  writing: { place: 'entry.py:3', why: '' },
};
const dragged: DragFacts = { ...calm, prediction: predictions.at(20) };

test('at rest it says what can be done', () => {
  expect(messageOf(calm, false).text).toContain('drag a bar');
});

test('a prediction has its doubt', () => {
  expect(messageOf(dragged, false).text).toContain('9.5 % for the time');
});

test('what went wrong comes before all else', () => {
  const facts = { ...dragged, resists: 'does not fit', trouble: 'entry.py is read-only' };
  expect(messageOf(facts, true)).toEqual({ tone: 'bad', text: 'entry.py is read-only' });
  expect(messageOf({ ...facts, trouble: '' }, false)).toEqual({
    tone: 'warn',
    text: 'does not fit',
  });
});

test('what was mistyped is told, with the range', () => {
  expect(messageOf(calm, true).text).toBe('a batch size is a whole number from 1 to 20');
});

test('code that cannot be changed says so at once, code that need not only in a drag', () => {
  const computed = { place: '', why: 'entry.py:3: it is computed' };
  expect(messageOf({ ...calm, writing: computed }, false).text).toBe(computed.why);
  const same = { place: 'entry.py:3', why: 'entry.py:3 has this batch size already' };
  expect(messageOf({ ...calm, writing: same }, false).text).toContain('drag a bar');
  expect(messageOf({ ...dragged, writing: same }, false).text).toBe(same.why);
});
