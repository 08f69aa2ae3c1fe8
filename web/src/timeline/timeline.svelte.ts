import type { Explorer } from '../explorer.svelte';
import { getTimeline } from '../session/requests';
import { lineKey, type LineKey } from '../tree/lines';
import type { ColourBy } from './colours';
import { aliveAt, memoryOf, type Alive } from './memory';
import { longestMatch, matchesOf } from './names';
import { showing, type Span } from './span';
import { tracksOf } from './tracks';
import type { WireLine, WireTimeline } from './wire';

const FEW_LINES = 5;

/** One sampled step: what is loaded, which part is shown, and what the pointer is on. */
export class Timeline {
  wire = $state.raw<WireTimeline | null>(null);
  trouble = $state('');
  by = $state<ColourBy>('phase');
  pointer = $state.raw({ x: 0, y: 0 });
  /** An event, or -1. */
  hovered = $state(-1);
  /** A moment of the memory, and how many changes lead to it. */
  moment = $state.raw<{ time: number; changes: number } | null>(null);
  private shown = $state.raw<Span | null>(null);
  private loaded: unknown = null;
  private asked = 0;

  readonly tracks = $derived(this.wire && tracksOf(this.wire));
  readonly memory = $derived(
    this.wire?.memory ? memoryOf(this.wire.memory, this.wire.lines.length) : null,
  );
  readonly whole = $derived<Span>({ start: 0, end: Math.max(1, this.wire?.duration_ns ?? 1) });
  readonly span = $derived(this.shown ?? this.whole);
  readonly found = $derived.by(() => this.tracks && matchesOf(this.tracks, this.explorer.query));
  readonly alive = $derived<Alive | null>(
    this.memory && this.moment ? aliveAt(this.memory, this.moment.changes, FEW_LINES) : null,
  );
  /** Of each line its key among the results, or null. */
  private readonly keys = $derived.by<(LineKey | null)[]>(() => {
    const files = new Map(this.explorer.results?.wire.files.map(({ path }, file) => [path, file]));
    return (this.wire?.lines ?? []).map(({ path, line }) => {
      const file = files.get(path);
      return file === undefined ? null : lineKey(file, line);
    });
  });
  private readonly byKey = $derived(new Map(this.keys.map((key, line) => [key, line])));
  /** The lines whose events are lit, whoever lit them. */
  readonly lit = $derived.by(() => {
    const lines = this.positions(this.explorer.litLines);
    const own = this.hovered < 0 ? -1 : (this.tracks?.line[this.hovered] ?? -1);
    return own < 0 ? lines : new Set([...lines, own]);
  });
  readonly selected = $derived.by(() => this.positions(this.explorer.selectedLines));

  constructor(private readonly explorer: Explorer) {}

  /** Loads a step of the shown results, unless it is there. */
  async load(step: number | null): Promise<void> {
    const { results } = this.explorer;
    const known = this.loaded === results && (step === null || step === this.wire?.step);
    if (known || !results) return;
    this.asked += 1;
    const mine = this.asked;
    try {
      const wire = await this.fetched(step);
      if (mine !== this.asked) return;
      this.hover(-1);
      // When all batch sizes are measured the same step comes again.
      const same = wire.step === this.wire?.step && wire.duration_ns === this.wire.duration_ns;
      if (!same) this.shown = null;
      this.wire = wire;
      this.loaded = results;
      this.trouble = '';
    } catch (error) {
      if (mine !== this.asked) return;
      this.wire = null;
      this.loaded = null;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** The step that was looked at, if the run has it: after an edit it usually does. */
  private async fetched(step: number | null): Promise<WireTimeline> {
    const run = this.explorer.live.askedRun;
    const wanted = step ?? this.wire?.step ?? null;
    if (wanted === null || step !== null) return getTimeline(run, step);
    return getTimeline(run, wanted).catch(() => getTimeline(run, null));
  }

  show(span: Span): void {
    this.shown = span;
  }

  reset(): void {
    this.shown = null;
  }

  /** Lights the line of an event, here and in the code. */
  hover(event: number, x = 0, y = 0): void {
    this.moment = null;
    this.hovered = event;
    this.pointer = { x, y };
    this.light(event < 0 ? -1 : this.tracks!.line[event]);
  }

  /** Lights the line that holds most at a moment. */
  hoverMemory(moment: Timeline['moment'], x = 0, y = 0): void {
    this.hovered = -1;
    this.moment = moment;
    this.pointer = { x, y };
    this.light(this.largest());
  }

  /** Goes to the line of an event. */
  jump(event: number): void {
    if (event >= 0) this.reveal(this.tracks!.line[event]);
  }

  jumpToLargest(): void {
    this.reveal(this.largest());
  }

  /** Goes to the longest event that was found. */
  jumpToFound(): void {
    const { tracks, found } = this;
    const event = tracks && found ? longestMatch(tracks, found) : -1;
    if (!tracks || event < 0) return;
    this.show(showing(this.span, this.whole, tracks.start[event], tracks.end[event]));
    this.jump(event);
  }

  lineAt(line: number): WireLine | null {
    return this.wire?.lines[line] ?? null;
  }

  private largest(): number {
    return this.alive?.lines.find(({ line }) => line >= 0)?.line ?? -1;
  }

  private light(line: number): void {
    const key = this.keys[line] ?? null;
    // Without a place, so that the tip of lines does not cover that of events.
    this.explorer.hover(key === null ? null : { line: key }, 0, 0);
  }

  private reveal(line: number): void {
    const place = this.lineAt(line);
    if (place) this.explorer.reveal(place.path, place.line);
  }

  private positions(keys: ReadonlySet<LineKey>): ReadonlySet<number> {
    const lines = Array.from(keys, (key) => this.byKey.get(key));
    return new Set(lines.filter((line) => line !== undefined));
  }
}
