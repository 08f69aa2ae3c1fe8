import type { Report } from '../protocol';
import { count } from '../text/format';

/** What the measuring itself cost, and what it lost. */
export function overheadText(overhead: Report['overhead']): string {
  const percent = overhead?.step_percent;
  const cost =
    percent === null || percent === undefined
      ? 'overhead not measured'
      : `overhead ${percent.toFixed(1)} % of the step`;
  const dropped = overhead?.dropped ?? 0;
  return `${cost} · ${dropped > 0 ? `${count(dropped)} facts dropped` : 'nothing dropped'}`;
}

/** Where the run ran. */
export function runText(run: Report['run']): string {
  const framework = [run['framework'], run['framework_version']].filter(Boolean).join(' ');
  const threads = run['threads'] ? `${run['threads']} threads` : '';
  const python = run['python'] ? `Python ${run['python']}` : '';
  return [framework, python, run['device'], threads].filter(Boolean).join(' · ');
}
