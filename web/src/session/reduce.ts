import type {
  BatchSize,
  Breakdown,
  Failure,
  Hello,
  PastRun,
  SavedRuns,
  ServerMessage,
  State,
} from '../protocol';
import type { Measurement } from '../measurement/wire';

export type Link = 'connecting' | 'open' | 'lost' | 'mismatch' | 'unauthorised';

/** All that the page has been told. */
export interface Session {
  link: Link;
  /** What the server said when it refused us. */
  refusal: string;
  hello: Hello | null;
  state: State | null;
  breakdown: Breakdown | null;
  /** In place of a breakdown, where the run that is shown holds one. */
  measurement: Measurement | null;
  failure: Failure | null;
  output: string;
  /** The analysis that has printed it. */
  outputOf: number;
  /** Null in a view, and until the server has said. */
  batchSize: BatchSize | null;
  /** Why the last change of the batch size was not made. */
  editTrouble: string;
  /** The results that there have been, the oldest first. */
  history: PastRun[];
  savedRuns: SavedRuns;
  /** Grows whenever texts or the list of files may have changed. */
  filesVersion: number;
  changedFiles: string[];
  /** How often a run has grown while it was looked at. */
  grown: number;
}

/** What the server has told, what became of the connection, and that a change was asked for. */
export type Event =
  ServerMessage | { type: 'link'; link: Link; refusal?: string } | { type: 'editing' };

const NO_SAVED_RUNS: SavedRuns = { type: 'saved_runs', runs: [], left_out: 0 };

export const NEW_SESSION: Session = {
  link: 'connecting',
  refusal: '',
  hello: null,
  state: null,
  breakdown: null,
  measurement: null,
  failure: null,
  output: '',
  outputOf: 0,
  batchSize: null,
  editTrouble: '',
  history: [],
  savedRuns: NO_SAVED_RUNS,
  filesVersion: 0,
  changedFiles: [],
  grown: 0,
};

export function reduce(session: Session, event: Event): Session {
  switch (event.type) {
    case 'link':
      return { ...session, link: event.link, refusal: event.refusal ?? '' };
    case 'hello':
      // The server may be another one than before: only the last results are kept, as old ones.
      return {
        ...session,
        link: 'open',
        hello: event,
        state: null,
        failure: null,
        output: '',
        outputOf: 0,
        batchSize: null,
        editTrouble: '',
        history: [],
        savedRuns: NO_SAVED_RUNS,
        filesVersion: session.filesVersion + 1,
        changedFiles: [],
      };
    case 'state':
      // An analysis that prints nothing sends no output.
      return event.analysis > session.outputOf
        ? { ...session, state: event, output: '', outputOf: event.analysis }
        : { ...session, state: event };
    case 'breakdown':
      return {
        ...session,
        breakdown: event,
        measurement: null,
        failure:
          session.failure && session.failure.analysis > event.analysis ? session.failure : null,
      };
    case 'measurement':
      return { ...session, measurement: event.measurement, breakdown: null };
    case 'throughput': {
      const { breakdown } = session;
      if (breakdown?.analysis !== event.analysis) return session;
      const { throughput, findings } = event;
      return {
        ...session,
        breakdown: { ...breakdown, report: { ...breakdown.report, throughput, findings } },
      };
    }
    case 'failure':
      return { ...session, failure: event };
    case 'output':
      return { ...session, output: event.text, outputOf: event.analysis };
    case 'batch_size':
      return { ...session, batchSize: event, editTrouble: '' };
    case 'editing':
      return { ...session, editTrouble: '' };
    case 'history':
      return { ...session, history: event.runs };
    case 'saved_runs':
      return { ...session, savedRuns: event };
    case 'training':
      return { ...session, grown: session.grown + 1 };
    case 'files':
      return {
        ...session,
        filesVersion: session.filesVersion + 1,
        changedFiles: event.changed,
      };
    case 'error':
      if (event.code === 'edit') return { ...session, editTrouble: event.text };
      // After the greeting it only says that one message was not understood.
      if (event.code !== 'protocol' || session.link === 'open') return session;
      return { ...session, link: 'mismatch', refusal: event.text };
    default:
      return session;
  }
}

const BUSY = new Set(['queued', 'importing', 'measuring', 'sampling']);

export function isBusy(session: Session): boolean {
  return session.link === 'open' && BUSY.has(session.state?.state ?? '');
}

/** Whether the results on show may not be those of the files as they are now. */
export function isOld(session: Session): boolean {
  if (!session.breakdown || session.hello?.mode === 'view') return false;
  if (session.link !== 'open') return true;
  if (!session.state) return true;
  return !session.state.current || session.state.shown !== session.breakdown.analysis;
}
