import type { Report } from '../protocol';
import { count } from '../text/format';

/** What the measuring itself cost, and what it lost. */
export function overheadText(overhead: Report['overhead']): string {
  const cost = `overhead ${overheadInWords(overhead)}`;
  const dropped = overhead?.dropped ?? 0;
  return `${cost} · ${dropped > 0 ? `${count(dropped)} facts dropped` : 'nothing dropped'}`;
}

function overheadInWords(overhead: Report['overhead']): string {
  const percent = overhead?.step_percent;
  if (percent === null || percent === undefined) return 'not measured';
  if (!overhead?.settled) return 'not settled yet';
  return percent > 0 ? `${percent.toFixed(1)} % of the step` : 'too little to be seen';
}

/** Where the run ran. */
export function runText(run: Report['run']): string {
  const framework = [run['framework'], run['framework_version']].filter(Boolean).join(' ');
  const threads = run['threads']
    ? `${run['threads']} ${run['threads'] === 1 ? 'thread' : 'threads'}`
    : '';
  const python = run['python'] ? `Python ${run['python']}` : '';
  return [framework, python, run['device'], threads].filter(Boolean).join(' · ');
}
