import { layoutOf } from '../icicle/layout';
import type { Live } from '../session/live.svelte';
import { layerTree, type LayerTree } from './layer_tree';
import { firstOpen, rowsOf, search, siblingOrder, type Sorting } from './rows';
import { typeStrips } from './types';
import { amountsOf, type Pass, type Width } from './widths';
import type { Measurement } from './wire';

export type MeasurementTab = 'layers' | 'uncounted' | 'figures' | 'comparison';

const FIRST_ROWS = 60;
const NOTHING: ReadonlySet<number> = new Set();

/** What the user looks at of a measurement: width, zoom, open rows, hover, selection. */
export class LayerExplorer {
  tab = $state<MeasurementTab>('layers');
  width = $state<Width>('macs');
  pass = $state<Pass>('forward');
  query = $state('');
  sorting = $state.raw<Sorting>({ column: 'layer', descending: false });
  hovered = $state(-1);
  pointer = $state.raw({ x: 0, y: 0 });
  /** The row that has the focus, or had it last. */
  selected = $state(-1);
  /** Of this tree; another one is looked at anew. */
  private looked = $state.raw<{ tree: LayerTree | null; zoom: number; open: ReadonlySet<number> }>({
    tree: null,
    zoom: 0,
    open: NOTHING,
  });

  readonly measurement: Measurement | null = $derived.by(() => this.live.session.measurement);
  readonly tree = $derived(this.measurement && layerTree(this.measurement));
  readonly amounts = $derived(this.tree && amountsOf(this.tree, this.width, this.pass));
  readonly layout = $derived(this.tree && this.amounts && layoutOf(this.tree, this.amounts));
  readonly strips = $derived(this.tree && this.amounts && typeStrips(this.tree, this.amounts.own));
  readonly found = $derived(this.tree && search(this.tree, this.query));
  readonly zoom = $derived(this.looked.tree === this.tree ? this.looked.zoom : 0);
  readonly open = $derived.by(() => {
    if (!this.tree) return NOTHING;
    return this.looked.tree === this.tree ? this.looked.open : firstOpen(this.tree, FIRST_ROWS);
  });
  readonly rows = $derived(
    this.tree
      ? rowsOf(this.tree, this.open, this.found, siblingOrder(this.tree, this.sorting, this.pass))
      : [],
  );
  readonly lit: ReadonlySet<number> = $derived(marked(this.hovered, this.tree));
  readonly marked: ReadonlySet<number> = $derived(marked(this.selected, this.tree));

  constructor(readonly live: Live) {}

  zoomTo(zoom: number): void {
    this.looked = { tree: this.tree, zoom, open: this.open };
  }

  setOpen(node: number, isOpen: boolean): void {
    const open = new Set(this.open);
    if (isOpen) open.add(node);
    else open.delete(node);
    this.looked = { tree: this.tree, zoom: this.zoom, open };
  }

  hover(node: number, x: number, y: number): void {
    this.hovered = node;
    this.pointer = { x, y };
  }

  /** Selects a layer and opens the rows that lead to it. */
  select(node: number): void {
    this.selected = node;
    if (!this.tree) return;
    const open = new Set(this.open);
    for (let at = this.tree.parent[node]; at >= 0; at = this.tree.parent[at]) open.add(at);
    this.looked = { tree: this.tree, zoom: this.zoom, open };
  }

  /** Zooms on a layer, or on what called it if it calls none itself. */
  show(node: number): void {
    if (!this.tree) return;
    this.selected = node;
    const isLast = this.tree.children[node].length === 0;
    this.zoomTo(isLast ? Math.max(0, this.tree.parent[node]) : node);
  }

  /** Measurements of other models have other layers. */
  forget(): void {
    this.hovered = -1;
    this.selected = -1;
  }
}

function marked(node: number, tree: LayerTree | null): ReadonlySet<number> {
  return tree && node >= 0 && node < tree.size ? new Set([node]) : NOTHING;
}
