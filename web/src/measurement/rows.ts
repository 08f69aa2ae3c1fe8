import type { LayerTree } from './layer_tree';
import { amountOf, intensityOf, type Pass, type Width } from './widths';

/** A row of the table of layers. */
export interface Row {
  node: number;
  /** Of the tree; 1 for the model. */
  level: number;
  /** Null for a layer that calls no others. */
  open: boolean | null;
}

/** `layer` is the order of the calls. */
export type SortColumn = 'layer' | 'intensity' | Width;

export interface Sorting {
  column: SortColumn;
  descending: boolean;
}

/** The rows that are to be seen: those below open ones, or those that a search leads to. */
export function rowsOf(
  tree: LayerTree,
  open: ReadonlySet<number>,
  found: ReadonlySet<number> | null,
  compare: (a: number, b: number) => number,
): Row[] {
  const wanted = found && withCallers(tree, found);
  const rows: Row[] = [];
  const stack = [0];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const inside = tree.children[node].filter((child) => !wanted || wanted.has(child));
    const isOpen = inside.length === 0 ? null : wanted !== null || open.has(node);
    rows.push({ node, level: tree.depth[node] + 1, open: isOpen });
    if (isOpen) stack.push(...inside.sort(compare).reverse());
  }
  return rows;
}

function withCallers(tree: LayerTree, found: ReadonlySet<number>): Set<number> {
  const wanted = new Set<number>();
  for (const node of found) {
    for (let at = node; at >= 0 && !wanted.has(at); at = tree.parent[at]) wanted.add(at);
  }
  return wanted;
}

/** Layers that were called by the same one, in the order that was asked for. */
export function siblingOrder(tree: LayerTree, { column, descending }: Sorting, pass: Pass) {
  const sign = descending ? -1 : 1;
  const value = (node: number) => {
    if (column === 'layer') return node;
    const layer = tree.layers[node];
    return (
      (column === 'intensity' ? intensityOf(layer, pass) : amountOf(layer, column, pass)) ?? -1
    );
  };
  return (a: number, b: number) => sign * (value(a) - value(b)) || a - b;
}

/** As many levels as leave no more rows than that; the first always. */
export function firstOpen(tree: LayerTree, most: number): Set<number> {
  const open = new Set<number>([0]);
  const calling = (nodes: number[]) => nodes.filter((node) => tree.children[node].length > 0);
  let rows = 1 + tree.children[0].length;
  let level = calling(tree.children[0]);
  while (level.length > 0) {
    const next = level.flatMap((node) => tree.children[node]);
    rows += next.length;
    if (rows > most) break;
    for (const node of level) open.add(node);
    level = calling(next);
  }
  return open;
}

export function search(tree: LayerTree, query: string): Set<number> | null {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return null;
  const found = new Set<number>();
  tree.layers.forEach(({ type, file, line }, node) => {
    const place = file ? `${file}:${line}` : '';
    const texts = [tree.labels[node].name, type, place];
    if (texts.some((text) => text.toLowerCase().includes(wanted))) found.add(node);
  });
  return found;
}

export type RowMove = { to: number } | { open: number } | { close: number } | null;

/** What a key does in the table, as in other tables that are trees. */
export function rowMove(rows: Row[], node: number, key: string): RowMove {
  const at = Math.max(
    0,
    rows.findIndex((row) => row.node === node),
  );
  const row = rows[at];
  if (!row) return null;
  const to = (index: number): RowMove => {
    const found = rows[Math.max(0, Math.min(rows.length - 1, index))];
    return { to: found.node };
  };
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      return row.open === false ? { open: row.node } : row.open ? to(at + 1) : null;
    case 'ArrowLeft':
      if (row.open) return { close: row.node };
      return to(rows.slice(0, at).findLastIndex(({ level }) => level < row.level));
    default:
      return null;
  }
}
