import type { Throughput } from '../protocol';
import { count, perSecond, quantity } from '../text/format';

/** From here on a number has no room for all its digits. */
const LONG = 1_000_000;

/** What is known of other batch sizes, in one line. */
export function throughputText(throughput: Throughput | null, sampling: boolean): string {
  const known: string[] = [];
  if (throughput?.limit_samples_per_second) {
    known.push(`limit ${perSecond(throughput.limit_samples_per_second)}/s`);
  }
  const most = throughput?.max_batch_size;
  if (most) known.push(`max batch ${most < LONG ? count(most) : quantity(most)}`);
  if (known.length > 0) return known.join(' · ');
  const measured = throughput?.samples.length ?? 0;
  if (sampling) return `trying batch sizes: ${measured} measured`;
  return measured > 0 ? `${measured} batch sizes measured` : '';
}
