import type { Session } from './reduce';

export interface Waiting {
  title: string;
  text: string;
  steps: { name: string; progress: 'done' | 'now' | 'later' }[];
}

const STEPS = ['queued', 'importing', 'measuring'];
const NAMES = ['Start', 'Import', 'Measure'];

/** What is said where results would stand, while there are none. */
export function waitingFor(session: Session, trouble: string): Waiting {
  const plain = (title: string, text: string): Waiting => ({ title, text, steps: [] });
  switch (session.link) {
    case 'unauthorised':
      return plain(
        'This page is not authorised',
        'Open the address that Sightline printed when it started: it has the token.',
      );
    case 'mismatch':
      return plain('Page and server do not fit', session.refusal);
    case 'lost':
      return plain('Disconnected', 'The server does not answer. It is tried again until it does.');
    case 'connecting':
      return plain('Connecting', 'Waiting for the server.');
  }
  if (session.hello?.mode === 'view') {
    return plain(trouble ? 'This run cannot be shown' : 'Opening the run', trouble);
  }
  const name = session.state?.state ?? 'idle';
  if (name === 'failed') return plain('No results yet', 'The analysis failed before it had any.');
  const at = STEPS.indexOf(name);
  if (at < 0) {
    return plain(
      'Nothing was analysed yet',
      'The first analysis starts by itself, or by “Analyse”.',
    );
  }
  return {
    title: 'Waiting for the first result',
    text: session.state?.text ?? '',
    steps: NAMES.map((step, i) => ({
      name: step,
      progress: i < at ? 'done' : i === at ? 'now' : 'later',
    })),
  };
}
