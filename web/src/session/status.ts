import type { StateName } from '../protocol';
import { isOld, type Session } from './reduce';

export interface Status {
  tone: 'calm' | 'good' | 'busy' | 'warn' | 'bad';
  label: string;
  text: string;
}

const STATES: Record<StateName, [Status['tone'], string]> = {
  idle: ['calm', 'Not analysed yet'],
  stale: ['warn', 'Files have changed'],
  queued: ['busy', 'Starting'],
  importing: ['busy', 'Importing'],
  measuring: ['busy', 'Measuring'],
  sampling: ['busy', 'Trying batch sizes'],
  done: ['good', 'Up to date'],
  failed: ['bad', 'Analysis failed'],
};

/** The state of the session in a few words. */
export function statusOf(session: Session): Status {
  switch (session.link) {
    case 'connecting':
      return { tone: 'busy', label: 'Connecting', text: '' };
    case 'lost':
      return { tone: 'warn', label: 'Disconnected', text: 'trying again' };
    case 'mismatch':
      return { tone: 'bad', label: 'Versions differ', text: session.refusal };
    case 'unauthorised':
      return { tone: 'bad', label: 'Not authorised', text: '' };
  }
  if (session.hello?.mode === 'view') return { tone: 'calm', label: 'Saved run', text: '' };
  const { state } = session;
  if (!state) return { tone: 'busy', label: 'Connecting', text: '' };
  const [tone, label] = STATES[state.state] ?? ['calm', state.state];
  return { tone, label, text: state.state === 'failed' ? '' : withoutRepeat(label, state.text) };
}

/** The text may begin with the state's own name. */
function withoutRepeat(label: string, text: string): string {
  const name = label.toLowerCase();
  const same =
    text.toLowerCase().startsWith(`${name}:`) || text.toLowerCase().startsWith(`${name} `);
  return same ? text.slice(name.length + 1).trim() : text;
}

/** Why the results on show are old, or nothing. */
export function oldness(session: Session): string {
  if (!isOld(session)) return '';
  if (session.link !== 'open') return 'not connected: these are the last results received';
  const name = session.state?.state;
  if (name === 'failed') return 'the last analysis failed: these results are of an earlier one';
  if (name === 'stale') return 'files have changed since these results';
  return 'an analysis is running: these results are of an earlier one';
}
