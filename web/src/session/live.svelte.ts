import type { Breakdown } from '../protocol';
import { Connection } from './connection';
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
  /** The run to name in requests; null in a session. */
  readonly askedRun = $derived(this.isView ? this.run : null);

  private readonly connection = new Connection({
    open: () => new WebSocket(liveAddress()),
    isUnauthorised,
    tell: (event) => this.tell(event),
  });

  start(): void {
    this.connection.start();
  }

  analyse(): void {
    this.connection.send({ type: 'analyse' });
  }

  cancel(): void {
    this.connection.send({ type: 'cancel' });
  }

  async choose(run: number): Promise<void> {
    this.run = run;
    try {
      const breakdown = await getResult(run);
      if (this.run === run) {
        this.trouble = '';
        this.session = reduce(this.session, { ...breakdown, type: 'breakdown' });
      }
    } catch (error) {
      if (this.run === run) this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  private tell(event: Event): void {
    // In a view the run that was chosen is asked for by name.
    if (this.isView && event.type === 'breakdown') return;
    this.session = reduce(this.session, event);
    if (event.type === 'hello' && event.mode === 'view') {
      void this.choose(Math.min(this.run, Math.max(0, event.runs.length - 1)));
    }
  }
}
