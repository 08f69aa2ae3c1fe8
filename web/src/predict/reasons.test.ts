import { expect, test } from 'vitest';
import type { BatchSize, Breakdown, Hello, Report, State } from '../protocol';
import { NEW_SESSION, reduce, type Event, type Session } from '../session/reduce';
import { exampleReport } from './example';
import { whyNoDragging } from './why_not';
import { writingOf } from './writing';

const hello = { type: 'hello', mode: 'interactive', runs: [] } as unknown as Hello;
const view: Hello = { ...hello, mode: 'view' };
const sampling = { type: 'state', state: 'sampling' } as State;
const done = { type: 'state', state: 'done' } as State;
const written: BatchSize = {
  type: 'batch_size',
  value: 16,
  file: 'entry.py',
  line: 12,
  why_not: '',
  can_undo: false,
};

function after(...events: Event[]): Session {
  return events.reduce(reduce, NEW_SESSION);
}

function result(samples: number | null): Breakdown {
  const report: Report = exampleReport();
  if (samples === null) report.throughput = null;
  else {
    const one = { batch_size: 1, iteration_ms: 1, peak_bytes: 1 };
    report.throughput!.samples = Array<typeof one>(samples).fill(one);
    if (samples < 3) report.throughput!.predictions = null;
  }
  return { type: 'breakdown', analysis: 1, cached: false, report } as unknown as Breakdown;
}

test('with predictions there is something to drag', () => {
  expect(whyNoDragging(after(hello, done, result(4)))).toBe('');
});

test('without them there is a reason', () => {
  expect(whyNoDragging(after(hello))).toContain('first result');
  expect(whyNoDragging(after(hello, sampling, result(2)))).toContain('being measured: 2 so far');
  const measuring = { ...sampling, state: 'measuring', analysis: 1 } as State;
  expect(whyNoDragging(after(hello, measuring, result(0)))).toContain('being measured: 0 so far');
  expect(whyNoDragging(after(hello, done, result(null)))).toContain('were not measured');
  expect(whyNoDragging(after(hello, done, result(0)))).toContain('were not measured');
  expect(whyNoDragging(after(hello, done, result(2)))).toContain('2 batch sizes were measured');
  expect(whyNoDragging(after(view, result(0)))).toContain('this run has no measurements');
});

test('the place that would be changed is told', () => {
  expect(writingOf(after(hello, written), 64)).toEqual({ place: 'entry.py:12', why: '' });
});

test('what cannot be written has a reason', () => {
  expect(writingOf(after(view), 64)).toBeNull();
  expect(writingOf(after(hello), 64)?.why).toContain('not looked at');
  const refused = { ...written, value: null, why_not: 'entry.py:12: it is computed' };
  expect(writingOf(after(hello, refused), 64)?.why).toBe('entry.py:12: it is computed');
  expect(writingOf(after(hello, written), 16)?.why).toContain('already');
  const lost: Event = { type: 'link', link: 'lost' };
  expect(writingOf(after(hello, written, lost), 64)?.why).toBe('not connected');
});
