import { MediaQuery } from 'svelte/reactivity';
import { search } from './icicle/search';
import { Drag } from './predict/drag.svelte';
import type { WireTree } from './protocol';
import { Comparing } from './runs/comparing.svelte';
import type { Live } from './session/live.svelte';
import { Sources } from './session/sources.svelte';
import { Timeline } from './timeline/timeline.svelte';
import { Training } from './training/training.svelte';
import { samePlace } from './tree/cost_tree';
import type { Metric } from './tree/costs';
import { lineDetails, nodeDetails, type Details } from './tree/details';
import { lineKey, lineOf, fileOf, type LineKey } from './tree/lines';
import { Results, type Grouping } from './tree/results';

/** A node of the icicle, or a line of code. */
export type Target = { node: number } | { line: LineKey };

export type Tab =
  | 'code'
  | 'breakdown'
  | 'table'
  | 'timeline'
  | 'training'
  | 'findings'
  | 'failure'
  | 'runs'
  | 'output'
  | 'run';

const NOTHING: ReadonlySet<number> = new Set();

/** What the user looks at: file, metric, zoom, hover, selection. Code and breakdown share it. */
export class Explorer {
  metric = $state<Metric>('time');
  by = $state<Grouping>('code');
  query = $state('');
  tab = $state<Tab>('breakdown');
  path = $state<string | null>(null);
  /** Whether the file was chosen, or is only the one that came first. */
  opened = false;
  /** A line to scroll to, until the code pane has done so. */
  goal = $state.raw<{ path: string; line: number } | null>(null);
  hovered = $state.raw<Target | null>(null);
  selected = $state.raw<Target | null>(null);
  pointer = $state.raw({ x: 0, y: 0 });
  private zoomed = $state.raw({ by: 'code' as Grouping, node: 0 });

  /** Code and breakdown have no room side by side. */
  readonly narrow = new MediaQuery('max-width: 820px');
  readonly sources = new Sources();
  readonly drag: Drag;
  readonly comparing = new Comparing();
  readonly timeline = new Timeline(this);
  readonly training = new Training(this);
  readonly results: Results | null = $derived.by(() => resultsOf(this.live.breakdown?.tree));
  readonly tree = $derived(this.results?.tree(this.by) ?? null);
  readonly zoom = $derived(
    this.tree && this.zoomed.by === this.by && this.zoomed.node < this.tree.size
      ? this.zoomed.node
      : 0,
  );
  readonly matches = $derived(this.tree ? search(this.tree, this.query) : null);
  readonly litLines = $derived(this.linesOf(this.hovered));
  readonly litNodes = $derived(this.nodesOf(this.hovered));
  readonly selectedLines = $derived(this.linesOf(this.selected));
  readonly selectedNodes = $derived(this.nodesOf(this.selected));
  readonly details = $derived(this.detailsOf(this.hovered));

  constructor(readonly live: Live) {
    this.drag = new Drag(live);
  }

  zoomTo(node: number): void {
    this.zoomed = { by: this.by, node };
  }

  group(by: Grouping): void {
    this.hovered = null;
    this.selected = null;
    this.by = by;
    this.zoomTo(0);
  }

  hover(target: Target | null, x: number, y: number): void {
    this.hovered = target;
    this.pointer = { x, y };
  }

  open(path: string, line?: number): void {
    this.path = path;
    this.opened = true;
    this.goal = line ? { path, line } : null;
  }

  /** Opens a line where it can be seen, and selects it if it has costs. */
  reveal(path: string, line: number): void {
    this.open(path, line);
    const key = this.keyAt(path, line);
    if (key !== null && this.results?.lines.has(key)) this.selectLine(key);
    if (this.narrow.current) this.tab = 'code';
  }

  /** Goes to the line of a node and selects it. */
  selectNode(node: number): void {
    this.selected = { node };
    const [key] = this.linesOf(this.selected);
    if (key !== undefined) this.openKey(key);
  }

  selectLine(key: LineKey): void {
    this.selected = { line: key };
  }

  openKey(key: LineKey): void {
    const path = this.results?.wire.files[fileOf(key)]?.path;
    if (path !== undefined) this.open(path, lineOf(key));
  }

  keyAt(path: string, line: number): LineKey | null {
    const file = this.results?.wire.files.findIndex((entry) => entry.path === path) ?? -1;
    return file < 0 ? null : lineKey(file, line);
  }

  /** After new results: the same place of the tree stays zoomed on, nothing else is remembered. */
  follow(before: Results, after: Results): void {
    const { by, node } = this.zoomed;
    this.hovered = null;
    this.selected = null;
    if (node > 0 && node < before.tree(by).size) {
      this.zoomed = { by, node: samePlace(before.tree(by), node, after.tree(by)) };
    }
  }

  private linesOf(target: Target | null): ReadonlySet<LineKey> {
    if (!target || !this.results) return NOTHING;
    if ('line' in target) return new Set([target.line]);
    return target.node < this.results.tree(this.by).size
      ? this.results.linesOf(this.by, target.node)
      : NOTHING;
  }

  private nodesOf(target: Target | null): ReadonlySet<number> {
    if (!target || !this.results) return NOTHING;
    if ('node' in target) return new Set([target.node]);
    return this.results.nodesOf(this.by, target.line);
  }

  private detailsOf(target: Target | null): Details | null {
    if (!target || !this.results) return null;
    const { scale } = this.drag;
    if ('line' in target) return lineDetails(this.results, target.line, scale);
    return target.node < this.results.tree(this.by).size
      ? nodeDetails(this.results, this.by, target.node, scale)
      : null;
  }
}

let last: { wire: WireTree; results: Results } | null = null;

/** A throughput message makes a new breakdown with the same tree: nothing is computed again. */
function resultsOf(wire: WireTree | undefined): Results | null {
  if (!wire) return null;
  if (last?.wire !== wire) last = { wire, results: new Results(wire) };
  return last.results;
}
