import type { Report } from '../protocol';
import type { Live } from '../session/live.svelte';
import { Aims, type Aim } from './aims';
import { batchSizeByKey } from './keys';
import { predictionsOf, type Prediction } from './predictions';
import { scaleOf } from './scale';
import { whyNoDragging } from './why_not';
import { writingOf } from './writing';

/** The batch size that someone asks about by dragging a card, and what is predicted for it. */
export class Drag {
  private asked = $state.raw<(Aim & { about: string }) | null>(null);
  private sent = $state<number | null>(null);

  readonly report: Report | null = $derived.by(() => this.live.breakdown?.report ?? null);
  readonly predictions = $derived(predictionsOf(this.report?.throughput?.predictions));
  private readonly aims = $derived(
    this.predictions && this.report ? new Aims(this.predictions, this.report) : null,
  );
  /** A drag is about one result: with the next it is over. */
  private readonly about = $derived.by(() => `${this.live.run} ${this.live.breakdown?.analysis}`);
  private readonly aim = $derived(this.asked?.about === this.about ? this.asked : null);

  /** The batch size that was measured. */
  readonly usual = $derived(this.report?.iteration.batch_size ?? null);
  /** Null while what is shown was measured. */
  readonly prediction: Prediction | null = $derived(
    this.aim && this.aim.batchSize !== this.usual
      ? (this.predictions?.at(this.aim.batchSize) ?? null)
      : null,
  );
  readonly shown = $derived(this.prediction?.batchSize ?? this.usual);
  readonly scale = $derived(scaleOf(this.report, this.prediction));
  readonly resists = $derived(this.aim?.resists ?? '');
  readonly whyNot = $derived.by(() => whyNoDragging(this.live.session));
  readonly writing = $derived.by(() =>
    writingOf(this.live.session, this.prediction?.batchSize ?? null),
  );
  readonly canUndo = $derived.by(() => this.live.session.batchSize?.can_undo ?? false);
  readonly trouble = $derived.by(() => this.live.session.editTrouble);
  readonly applying = $derived(this.sent !== null && this.trouble === '');
  readonly canApply = $derived(
    this.prediction !== null && this.writing?.why === '' && !this.applying,
  );

  constructor(private readonly live: Live) {}

  toThroughput(samplesPerSecond: number): void {
    this.take(this.aims?.throughput(samplesPerSecond));
  }

  toMemory(bytes: number): void {
    this.take(this.aims?.memory(bytes));
  }

  toBatchSize(batchSize: number): void {
    this.take(this.aims?.batchSize(batchSize));
  }

  /** Whether the key was one that leads somewhere. */
  byKey(key: string): boolean {
    if (!this.predictions || this.shown === null) return false;
    const to = batchSizeByKey(key, this.shown, this.predictions.largest);
    if (to !== null) this.toBatchSize(to);
    return to !== null;
  }

  takeBack(): void {
    this.asked = null;
    this.sent = null;
    this.live.forgetTrouble();
  }

  apply(): void {
    if (!this.canApply || !this.prediction) return;
    this.sent = this.prediction.batchSize;
    this.live.setBatchSize(this.sent);
  }

  undo(): void {
    this.live.undoBatchSize();
  }

  /** Once the code has what was asked for, the measurement has the word. */
  endWhenWritten(): void {
    if (this.sent !== null && this.live.session.batchSize?.value === this.sent) this.takeBack();
  }

  private take(aim: Aim | undefined): void {
    if (!aim) return;
    this.asked = { ...aim, about: this.about };
    this.sent = null;
    this.live.forgetTrouble();
  }
}
