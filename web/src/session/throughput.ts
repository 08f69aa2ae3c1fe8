import type { Throughput } from '../protocol';
import { count, perSecond } from '../text/format';

/** What is known of other batch sizes, in one line. */
export function throughputText(throughput: Throughput | null, sampling: boolean): string {
  const known: string[] = [];
  if (throughput?.limit_samples_per_second) {
    known.push(`limit ${perSecond(throughput.limit_samples_per_second)}/s`);
  }
  if (throughput?.max_batch_size) known.push(`max batch ${count(throughput.max_batch_size)}`);
  if (known.length > 0) return known.join(' · ');
  const measured = throughput?.samples.length ?? 0;
  if (sampling) return `trying batch sizes: ${measured} measured`;
  return measured > 0 ? `${measured} batch sizes measured` : '';
}
