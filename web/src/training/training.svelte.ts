import type { Explorer } from '../explorer.svelte';
import { lengthOf, moved, zoomed, type Span } from '../timeline/span';
import { askedSpan } from './curves';
import { getCurves, getHeat, getHistograms, getTraining, type Window } from './requests';
import type { ScaleKind } from './scale';
import { counterpart, figureOf, isInModule, seriesOf, type Figure } from './selection';
import type { WireCurve, WireHistograms, WireTraining, WireVerdict } from './wire';

export type TrainingPart = 'series' | 'overlay' | 'heat' | 'histograms' | 'modules' | 'verdicts';

/** Closer than this many steps there is nothing to see. */
export const FEWEST_STEPS = 4;
/** How many charts there are until more are asked for. */
const FEW_CHARTS = 36;
/** More lines in one chart are only a cloud. */
const MOST_LINES = 200;
const ZOOM = 0.5;

/** Columns that are asked for: about one for each pixel of a chart. */
const COLUMNS: Record<TrainingPart, number> = {
  series: 240,
  overlay: 800,
  heat: 500,
  histograms: 200,
  modules: 0,
  verdicts: 0,
};

type Curves = ReadonlyMap<number, WireCurve>;
const NONE: Curves = new Map();

/** A supervised training: what is loaded, what of it is shown, and where the pointer is. */
export class Training {
  wire = $state.raw<WireTraining | null>(null);
  trouble = $state('');
  part = $state<TrainingPart>('series');
  scale = $state<ScaleKind>('linear');
  paused = $state(false);
  /** Only this module and those in it; null: all. */
  module = $state<string | null>(null);
  all = $state(false);
  /** The step that is pointed at. */
  cursor = $state<number | null>(null);
  /** The run that is laid over the one that is shown. */
  otherRun = $state<number | null>(null);
  other = $state.raw<WireTraining | null>(null);
  curves = $state.raw<Curves>(NONE);
  otherCurves = $state.raw<Curves>(NONE);
  histograms = $state.raw<WireHistograms | null>(null);
  private asked = $state.raw<Figure | null>(null);
  private shown = $state.raw<Span | null>(null);
  private histogram = $state<number | null>(null);
  private newest = { overview: 0, other: 0, data: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly figure = $derived(this.wire && figureOf(this.wire, this.asked));
  readonly series = $derived(this.wire ? seriesOf(this.wire, this.figure, this.module) : []);
  readonly charts = $derived(this.all ? this.series : this.series.slice(0, FEW_CHARTS));
  readonly overlaid = $derived(this.series.slice(0, MOST_LINES));
  readonly whole = $derived.by<Span>(() => {
    const ranges = [this.wire?.steps, this.other?.steps].filter((range) => !!range);
    const start = Math.min(...ranges.map(({ first }) => first));
    const end = Math.max(...ranges.map(({ last }) => last));
    return ranges.length > 0 ? { start, end: Math.max(end, start + 1) } : { start: 0, end: 1 };
  });
  /** Until something is zoomed on it is all, and grows with the run. */
  readonly span = $derived(this.shown ?? this.whole);
  readonly isZoomed = $derived(this.shown !== null);
  readonly histogramSeries = $derived(
    (this.wire?.histograms ?? []).filter(
      ({ module }) => this.module === null || isInModule(module, this.module),
    ),
  );
  readonly shownHistogram = $derived(
    this.histogramSeries.find(({ id }) => id === this.histogram) ?? this.histogramSeries[0] ?? null,
  );

  constructor(private readonly explorer: Explorer) {}

  choose(figure: Partial<Figure>): void {
    if (this.figure) this.asked = { ...this.figure, ...figure };
  }

  chooseHistogram(id: number): void {
    this.histogram = id;
  }

  show(span: Span): void {
    this.shown = lengthOf(span) >= lengthOf(this.whole) ? null : span;
  }

  reset(): void {
    this.shown = null;
  }

  zoom(closer: boolean): void {
    const at = this.cursor ?? (this.span.start + this.span.end) / 2;
    this.show(zoomed(this.span, this.whole, closer ? ZOOM : 1 / ZOOM, at, FEWEST_STEPS));
  }

  /** Whether the key means anything here. */
  press(key: string): boolean {
    const { span, whole } = this;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (by) {
      const step = Math.max(1, Math.round(lengthOf(span) / 100));
      const from = this.cursor ?? (by > 0 ? span.start - step : span.end + step);
      this.cursor = Math.min(span.end, Math.max(span.start, Math.round(from) + by * step));
      return true;
    }
    if (key === 'Escape') {
      this.reset();
      return true;
    }
    const at = this.cursor ?? (span.start + span.end) / 2;
    const next = moved(span, whole, key, at, FEWEST_STEPS);
    if (next) this.show(next);
    return next !== null;
  }

  /** Shows the module of a verdict, by the figures that it is about where there are such. */
  goTo({ module, topic }: Pick<WireVerdict, 'module' | 'topic'>): void {
    this.module = module === '' ? null : module;
    if (this.wire?.series.some((entry) => entry.topic === topic)) this.choose({ topic });
    this.part = 'series';
  }

  /** What is known of the run; what is shown stays until the answer is there. */
  async load(): Promise<void> {
    const mine = ++this.newest.overview;
    try {
      const wire = await getTraining(this.explorer.live.askedRun);
      if (mine !== this.newest.overview) return;
      this.wire = wire;
      this.trouble = '';
    } catch (error) {
      if (mine !== this.newest.overview) return;
      this.wire = null;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  async loadOther(): Promise<void> {
    const mine = ++this.newest.other;
    const other =
      this.otherRun === null ? null : await getTraining(this.otherRun).catch(() => null);
    if (mine === this.newest.other) this.other = other;
  }

  /** Another run is shown: what was chosen stays, what was loaded does not. */
  forget(): void {
    this.wire = null;
    this.shown = null;
    this.cursor = null;
    this.curves = NONE;
    this.otherCurves = NONE;
    this.histograms = null;
    this.otherRun = null;
  }

  /** Asks for what the chosen part shows, once the user rests. */
  demand(delay: number): void {
    clearTimeout(this.timer);
    const points = COLUMNS[this.part];
    if (!this.wire?.supervised || points === 0) return;
    const wanted = { ...askedSpan(this.span, this.whole), points };
    this.timer = setTimeout(() => void this.fetch(wanted), delay);
  }

  private async fetch(window: Window): Promise<void> {
    const mine = ++this.newest.data;
    const run = this.explorer.live.askedRun;
    try {
      if (this.part === 'histograms') {
        const series = this.shownHistogram;
        const found = series && (await getHistograms(run, series.id, window));
        if (mine === this.newest.data) this.histograms = found;
        return;
      }
      const [curves, others] = await Promise.all([
        this.part === 'heat'
          ? getHeat(run, idsOf(this.series), window)
          : getCurves(run, idsOf(this.wanted()), window),
        this.part === 'heat' ? [] : getCurves(this.otherRun, idsOf(this.counterparts()), window),
      ]);
      if (mine !== this.newest.data) return;
      this.curves = byId(curves);
      this.otherCurves = byId(others);
    } catch (error) {
      if (mine === this.newest.data) {
        this.trouble = error instanceof Error ? error.message : String(error);
      }
    }
  }

  private wanted() {
    return this.part === 'overlay' ? this.overlaid : this.charts;
  }

  private counterparts() {
    const { other } = this;
    if (!other) return [];
    return this.wanted()
      .map((series) => counterpart(series, other))
      .filter((series) => series !== null);
  }
}

const idsOf = (series: { id: number }[]) => series.map(({ id }) => id);

function byId(curves: WireCurve[]): Curves {
  return new Map(curves.map((curve) => [curve.id, curve]));
}
