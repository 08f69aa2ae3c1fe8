import type { Breakdown, Hello } from '../protocol';
import { Connection } from './connection';
import { embeddedGreeting, embeddedRun } from './embedded';
import { isBusy, isOld, NEW_SESSION, reduce, type Event, type Session } from './reduce';
import { getResult, isUnauthorised, liveAddress } from './requests';

/** The session as the components see it. */
export class Live {
  session = $state.raw<Session>(NEW_SESSION);
  /** The run that is shown in a view. */
  run = $state(0);
  /** Why the run could not be shown. */
  trouble = $state('');

  readonly isView = $derived(this.session.hello?.mode === 'view');
  readonly old = $derived(isOld(this.session));
  readonly busy = $derived(isBusy(this.session));
  readonly breakdown: Breakdown | null = $derived(this.session.breakdown);
  /** Whether the run that is shown says what a model costs; known before it is there. */
  readonly isMeasurement = $derived(
    this.isView && this.session.hello?.runs[this.run]?.kind === 'measurement',
  );
  /** The run to name in requests; null in a session. */
  readonly askedRun = $derived(this.isView ? this.run : null);

  private readonly connection = new Connection({
    open: () => new WebSocket(liveAddress()),
    isUnauthorised,
    tell: (event) => this.tell(event),
  });

  start(): void {
    const run = embeddedRun();
    const greeting = run ?? embeddedGreeting();
    if (greeting) {
      this.tell(greeting.hello);
      this.tell(greeting.state);
    }
    if (!run) this.connection.start();
  }

  analyse(): void {
    this.connection.send({ type: 'analyse' });
  }

  cancel(): void {
    this.connection.send({ type: 'cancel' });
  }

  setBatchSize(batchSize: number): void {
    this.forgetTrouble();
    const expected = this.session.batchSize?.value ?? undefined;
    this.connection.send({ type: 'set_batch_size', batch_size: batchSize, expected });
  }

  undoBatchSize(): void {
    this.forgetTrouble();
    this.connection.send({ type: 'undo_batch_size' });
  }

  /** Why a change was not made is of no interest once something else is asked for. */
  forgetTrouble(): void {
    if (this.session.editTrouble) this.tell({ type: 'editing' });
  }

  async choose(run: number): Promise<void> {
    this.run = run;
    try {
      const result = await getResult(run);
      if (this.run === run) {
        this.trouble = '';
        this.session = reduce(this.session, result);
      }
    } catch (error) {
      if (this.run === run) this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  private tell(event: Event): void {
    // In a view the run that was chosen is asked for by name.
    if (this.isView && event.type === 'breakdown') return;
    if (event.type === 'hello' && !this.trouble && this.isSameView(event)) {
      event = { type: 'link', link: 'open' };
    }
    this.session = reduce(this.session, event);
    if (event.type === 'hello' && event.mode === 'view') {
      void this.choose(Math.min(this.run, Math.max(0, event.runs.length - 1)));
    }
  }

  /** Saved runs do not change: what is known of them stays true when a connection is made anew. */
  private isSameView(hello: Hello): boolean {
    return this.isView && JSON.stringify(hello) === JSON.stringify(this.session.hello);
  }
}
