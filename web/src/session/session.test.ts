import { expect, test } from 'vitest';
import { exampleMeasurement } from '../measurement/example';
import type { Breakdown, Failure, Hello, ServerMessage, State } from '../protocol';
import { backoff } from './backoff';
import { isBusy, isOld, NEW_SESSION, reduce, type Session } from './reduce';

const hello = { type: 'hello', protocol: 1, mode: 'interactive', runs: [] } as unknown as Hello;
const state = (over: Partial<State>): State => ({
  type: 'state',
  state: 'done',
  analysis: 1,
  text: '',
  shown: 1,
  current: true,
  ...over,
});
const breakdown = (analysis: number): Breakdown =>
  ({ type: 'breakdown', analysis, report: { findings: [] }, tree: {} }) as unknown as Breakdown;
const failure = (analysis: number): Failure => ({ type: 'failure', analysis }) as Failure;

function after(...messages: ServerMessage[]): Session {
  return messages.reduce(reduce, NEW_SESSION);
}

test('results of the files as they are now are not old', () => {
  const session = after(hello, state({}), breakdown(1));
  expect(isOld(session)).toBe(false);
  expect(isBusy(session)).toBe(false);
});

test('results are old while another analysis runs and after files have changed', () => {
  expect(isOld(after(hello, breakdown(1), state({ state: 'stale', current: false })))).toBe(true);
  const running = after(hello, breakdown(1), state({ state: 'measuring', current: false }));
  expect(isOld(running)).toBe(true);
  expect(isBusy(running)).toBe(true);
});

test('a failure leaves the last good results, as old ones', () => {
  const session = after(
    hello,
    breakdown(1),
    state({ state: 'failed', analysis: 2, current: false }),
    failure(2),
  );
  expect(session.failure?.analysis).toBe(2);
  expect(session.breakdown?.analysis).toBe(1);
  expect(isOld(session)).toBe(true);
});

test('a later breakdown ends the failure, an earlier one does not', () => {
  expect(after(failure(2), breakdown(3)).failure).toBeNull();
  expect(after(failure(2), breakdown(1)).failure?.analysis).toBe(2);
});

test('what an analysis has printed is gone when the next one prints nothing', () => {
  const printed = after(
    hello,
    state({ state: 'importing' }),
    { type: 'output', analysis: 1, text: 'hello' },
    state({}),
  );
  expect(printed.output).toBe('hello');
  expect(reduce(printed, state({ state: 'stale' })).output).toBe('hello');
  expect(reduce(printed, state({ state: 'importing', analysis: 2 })).output).toBe('');
  const early = after(
    hello,
    { type: 'output', analysis: 2, text: 'early' },
    state({ analysis: 2 }),
  );
  expect(early.output).toBe('early');
});

test('throughput replaces that of its own analysis only', () => {
  const message = { type: 'throughput', throughput: { samples: [] }, findings: [{}] };
  const own = { ...message, analysis: 1 } as unknown as ServerMessage;
  const other = { ...message, analysis: 2 } as unknown as ServerMessage;
  expect(after(breakdown(1), own).breakdown?.report.findings.length).toBe(1);
  expect(after(breakdown(1), other).breakdown?.report.findings.length).toBe(0);
});

test('after a new hello everything is fresh but the results, which are old until told otherwise', () => {
  const before = after(hello, state({}), breakdown(1), failure(2));
  const session = reduce(reduce(before, { type: 'link', link: 'lost' }), hello);
  expect(session.failure).toBeNull();
  expect(session.breakdown?.analysis).toBe(1);
  expect(session.filesVersion).toBe(2);
  expect(isOld(session)).toBe(true);
  expect(isOld(reduce(session, state({})))).toBe(false);
});

test('a server of another protocol is not asked again and again', () => {
  const session = after({ type: 'error', code: 'protocol', text: 'upgrade the page' });
  expect(session.link).toBe('mismatch');
  expect(session.refusal).toBe('upgrade the page');
});

test('an error after the greeting changes nothing', () => {
  const session = after(hello, { type: 'error', code: 'protocol', text: 'what?' });
  expect(session.link).toBe('open');
});

test('a change that was refused says why, until another is asked for or made', () => {
  const refused = after(hello, { type: 'error', code: 'edit', text: 'entry.py is read-only' });
  expect(refused.link).toBe('open');
  expect(refused.editTrouble).toBe('entry.py is read-only');
  expect(reduce(refused, { type: 'editing' }).editTrouble).toBe('');
  const made = { type: 'batch_size', value: 8 } as ServerMessage;
  expect(reduce(refused, made).editTrouble).toBe('');
  expect(reduce(refused, made).batchSize?.value).toBe(8);
});

test('messages of types yet unknown are passed over', () => {
  const session = after(hello);
  expect(reduce(session, { type: 'weather' } as unknown as ServerMessage)).toBe(session);
});

test('attempts to reconnect wait from 0.2 to 5 seconds', () => {
  expect([1, 2, 3, 6, 50].map(backoff)).toEqual([200, 400, 800, 5000, 5000]);
});

test('a measurement stands in place of a breakdown, and a breakdown of a measurement', () => {
  const measurement = exampleMeasurement();
  const shown = after(hello, breakdown(1), { type: 'measurement', measurement });
  expect([shown.measurement, shown.breakdown]).toEqual([measurement, null]);
  const again = reduce(shown, breakdown(2));
  expect([again.measurement, again.breakdown?.analysis]).toEqual([null, 2]);
});

test('saved runs are those of the newest list, and of no server before', () => {
  const listed: ServerMessage = { type: 'saved_runs', runs: [], left_out: 2 };
  expect(after(hello, listed).savedRuns.left_out).toBe(2);
  expect(after(hello, listed, hello).savedRuns.left_out).toBe(0);
});
