import { getComparison } from '../session/requests';
import type { Asked, Comparison, Pair, RunId } from './comparison';

/** Which two runs are compared, and what came of it. */
export class Comparing {
  /** As far as the user has chosen. */
  asked = $state.raw<Asked>({ before: null, after: null });
  answer = $state.raw<Comparison | null>(null);
  trouble = $state('');
  private newest = 0;

  /** One that is chosen on both sides changes places with the other. */
  choose(side: keyof Asked, run: RunId, now: Pair | null): void {
    const chosen = now ? { before: now.before.run, after: now.after.run } : { ...this.asked };
    const other = side === 'before' ? 'after' : 'before';
    if (chosen[other] === run) chosen[other] = chosen[side];
    this.asked = { ...chosen, [side]: run };
  }

  /** What is shown stays until the answer is there. */
  async compare(before: RunId, after: RunId): Promise<void> {
    this.newest += 1;
    const mine = this.newest;
    try {
      const answer = await getComparison(before, after);
      if (mine !== this.newest) return;
      this.answer = answer;
      this.trouble = '';
    } catch (error) {
      if (mine !== this.newest) return;
      this.answer = null;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }
}
