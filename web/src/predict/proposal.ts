import type { Finding } from '../protocol';

/** The batch size that a finding proposes, if it is one that does. */
export function proposedBatchSize(finding: Finding): number | null {
  if (finding.rule !== 'larger-batch') return null;
  const size = finding.evidence?.['batch_size'];
  return typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : null;
}
