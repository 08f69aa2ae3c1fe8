import type { Breakdown, Failure, Hello, ServerMessage, State } from '../protocol';

export type Link = 'connecting' | 'open' | 'lost' | 'mismatch' | 'unauthorised';

/** All that the page has been told. */
export interface Session {
  link: Link;
  /** What the server said when it refused us. */
  refusal: string;
  hello: Hello | null;
  state: State | null;
  breakdown: Breakdown | null;
  failure: Failure | null;
  output: string;
  /** Grows whenever texts or the list of files may have changed. */
  filesVersion: number;
  changedFiles: string[];
}

export type Event = ServerMessage | { type: 'link'; link: Link; refusal?: string };

export const NEW_SESSION: Session = {
  link: 'connecting',
  refusal: '',
  hello: null,
  state: null,
  breakdown: null,
  failure: null,
  output: '',
  filesVersion: 0,
  changedFiles: [],
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
        filesVersion: session.filesVersion + 1,
        changedFiles: [],
      };
    case 'state':
      return { ...session, state: event };
    case 'breakdown':
      return {
        ...session,
        breakdown: event,
        failure:
          session.failure && session.failure.analysis > event.analysis ? session.failure : null,
      };
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
      return { ...session, output: event.text };
    case 'files':
      return {
        ...session,
        filesVersion: session.filesVersion + 1,
        changedFiles: event.changed,
      };
    case 'error':
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
