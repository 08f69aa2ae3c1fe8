import type { WireTree } from '../protocol';
import { layoutOf, type Layout } from '../icicle/layout';
import { codeTree } from './code_tree';
import type { Metric } from './costs';
import { isWithin, type CostTree } from './cost_tree';
import { keyOfNode, lineCosts, type LineCosts, type LineKey } from './lines';
import { moduleOwner, moduleTree } from './module_tree';

export type Grouping = 'code' | 'module';

/** Everything that is computed of one tree, each part when it is first asked for. */
export class Results {
  readonly code: CostTree;
  readonly lines: LineCosts;
  private modules: CostTree | null = null;
  private readonly owner: (node: number) => number;
  private readonly layouts = new Map<string, Layout>();

  constructor(readonly wire: WireTree) {
    this.code = codeTree(wire);
    this.lines = lineCosts(this.code);
    this.owner = moduleOwner(wire);
  }

  tree(by: Grouping): CostTree {
    if (by === 'code') return this.code;
    this.modules ??= moduleTree(this.wire, this.code.own);
    return this.modules;
  }

  layout(by: Grouping, metric: Metric): Layout {
    const key = `${by} ${metric}`;
    let layout = this.layouts.get(key);
    if (!layout) {
      const tree = this.tree(by);
      layout = layoutOf(tree, tree.value[metric]);
      this.layouts.set(key, layout);
    }
    return layout;
  }

  /** The lines that a node stands for: its own, or all that run in a module. */
  linesOf(by: Grouping, node: number): Set<LineKey> {
    const keys = new Set<LineKey>();
    if (node === 0) return keys;
    if (by === 'code') {
      const key = keyOfNode(this.code, node);
      if (key !== null) keys.add(key);
      return keys;
    }
    const modules = this.tree('module');
    for (const [key, line] of this.lines) {
      if (line.nodes.some((owned) => isWithin(modules, this.owner(owned), node))) keys.add(key);
    }
    return keys;
  }

  /** The nodes that a line has. */
  nodesOf(by: Grouping, key: LineKey): Set<number> {
    const nodes = this.lines.get(key)?.nodes ?? [];
    return new Set(by === 'code' ? nodes : nodes.map(this.owner));
  }
}
