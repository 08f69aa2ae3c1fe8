import { percent } from '../text/format';
import type { Prediction } from './predictions';
import type { Writing } from './writing';

export interface DragMessage {
  tone: 'calm' | 'warn' | 'bad';
  text: string;
}

/** What there is to say of a drag. */
export interface DragFacts {
  prediction: Prediction | null;
  predictions: { largest: number } | null;
  resists: string;
  whyNot: string;
  trouble: string;
  writing: Writing | null;
}

/** The one thing that is said beside the batch size: what matters most. */
export function messageOf(facts: DragFacts, mistyped: boolean): DragMessage {
  const { prediction, predictions, resists, whyNot, trouble, writing } = facts;
  if (trouble) return { tone: 'bad', text: trouble };
  if (whyNot) return { tone: 'calm', text: whyNot };
  if (mistyped) {
    return {
      tone: 'bad',
      text: `a batch size is a whole number from 1 to ${predictions?.largest}`,
    };
  }
  if (resists) return { tone: 'warn', text: resists };
  if (writing?.why && (prediction || !writing.place)) return { tone: 'calm', text: writing.why };
  if (!prediction) {
    return { tone: 'calm', text: 'drag a bar, or type a batch size, to see what it would bring' };
  }
  const doubt = percent(prediction.iterationIntervalMs / (prediction.iterationMs || 1));
  return {
    tone: 'calm',
    text: `predicted; 9 of 10 measurements lie within ± (${doubt} for the time)`,
  };
}
