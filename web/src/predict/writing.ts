import type { Session } from '../session/reduce';

/** Where a batch size would be written. */
export interface Writing {
  /** As `file:line`, or empty. */
  place: string;
  /** Why it cannot be written; empty if it can. */
  why: string;
}

/** What applying a batch size would do; null in a view, where no code is at hand. */
export function writingOf(session: Session, batchSize: number | null): Writing | null {
  if (!session.hello || session.hello.mode === 'view') return null;
  const written = session.batchSize;
  if (!written) return { place: '', why: 'the code was not looked at yet' };
  if (written.value === null) return { place: '', why: written.why_not };
  const place = `${written.file}:${written.line}`;
  if (session.link !== 'open') return { place, why: 'not connected' };
  const why = written.value === batchSize ? `${place} has this batch size already` : '';
  return { place, why };
}
