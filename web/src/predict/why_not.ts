import type { Session } from '../session/reduce';

const FEWEST_SAMPLES = 3;

/** Why there is nothing to drag; empty if there is. */
export function whyNoDragging(session: Session): string {
  const report = session.breakdown?.report;
  if (!report) return 'waiting for the first result';
  if ((report.throughput?.predictions?.batch_size.length ?? 0) > 0) return '';
  const measured = report.throughput?.samples.length ?? 0;
  if (isSampling(session)) {
    return `other batch sizes are being measured: ${measured} so far. Then the bars can be dragged`;
  }
  if (measured === 0) {
    return session.hello?.mode === 'view'
      ? 'the bars cannot be dragged: this run has no measurements of other batch sizes'
      : 'the bars cannot be dragged: other batch sizes were not measured';
  }
  return `the bars cannot be dragged: ${measured} batch sizes were measured, and it takes ${FEWEST_SAMPLES}`;
}

/** The breakdown comes a moment before the state that follows it. */
function isSampling({ state, breakdown }: Session): boolean {
  if (state?.state === 'sampling') return true;
  return state?.state === 'measuring' && state.analysis === breakdown?.analysis;
}
