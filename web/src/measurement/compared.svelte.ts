import { getMeasurementComparison } from '../session/requests';
import type { MeasurementComparison } from './comparison';

interface Sides {
  before: number;
  after: number;
}

/** Which two measurements are compared, and what came of it. */
export class ComparedMeasurements {
  /** Null until the user has chosen. */
  chosen = $state.raw<Sides | null>(null);
  answer = $state.raw<MeasurementComparison | null>(null);
  trouble = $state('');
  private newest = 0;

  /** One that is chosen on both sides changes places with the other. */
  choose(side: keyof Sides, run: number, now: Sides): void {
    const other = side === 'before' ? 'after' : 'before';
    const sides = { ...now, [side]: run };
    if (now[other] === run) sides[other] = now[side];
    this.chosen = sides;
  }

  /** What is shown stays until the answer is there. */
  async compare(before: number, after: number): Promise<void> {
    this.newest += 1;
    const mine = this.newest;
    const [answer, trouble] = await getMeasurementComparison(before, after).then(
      (found) => [found, ''] as const,
      (error: unknown) => [null, error instanceof Error ? error.message : String(error)] as const,
    );
    if (mine !== this.newest) return;
    this.answer = answer;
    this.trouble = trouble;
  }
}
