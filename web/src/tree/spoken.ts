import { bytes, milliseconds, percent } from '../text/format';
import { visible } from '../text/visible';
import { timeOf } from './costs';
import type { Details } from './details';

/** A node or line in words, for those who hear the page. */
export function spokenDetails(details: Details | null, isPredicted: boolean): string {
  if (!details) return '';
  const { title, subtitle, cost, ofStep } = details;
  const how = isPredicted ? 'predicted ' : '';
  return `${visible(title)} ${visible(subtitle)}, ${how}${milliseconds(timeOf(cost))}, ${percent(ofStep.time)} of the step, ${bytes(cost.peak)} at the peak`;
}
