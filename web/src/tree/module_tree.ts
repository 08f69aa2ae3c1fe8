import type { WireTree } from '../protocol';
import { peakByCategory } from './code_tree';
import { COLUMNS, emptyColumns, type Columns } from './costs';
import { costTree, type CostTree, type Label } from './cost_tree';

export const OUTSIDE = 'outside modules';

/** The same costs by module: node 0 is the step, module m is node m + 1, the last one is the rest. */
export function moduleTree(wire: WireTree, codeOwn: Columns): CostTree {
  const rest = wire.modules.length + 1;
  const size = rest + 1;
  const parent = Int32Array.from({ length: size }, (_, node) =>
    node === 0 ? -1 : node === rest ? 0 : wire.modules[node - 1].parent + 1,
  );
  const owner = moduleOwner(wire);
  const owners = Int32Array.from(wire.nodes.parent, (_, node) => owner(node));
  const own = emptyColumns(size);
  for (const column of COLUMNS) {
    const [sums, values] = [own[column], codeOwn[column]];
    for (let node = 0; node < owners.length; node += 1) sums[owners[node]] += values[node];
  }
  return costTree({
    parent,
    labels: Array.from(parent, (_, node) => labelOf(wire, node, rest)),
    own,
    ownCategories: peakByCategory(wire, size, owner),
  });
}

/** The node of the module tree that holds a node of the code tree. */
export function moduleOwner(wire: WireTree): (node: number) => number {
  const rest = wire.modules.length + 1;
  return (node) => {
    const module = wire.nodes.module[node];
    return module >= 0 ? module + 1 : rest;
  };
}

function labelOf(wire: WireTree, node: number, rest: number): Label {
  if (node === 0) return { name: 'step', kind: 'step', function: '', place: null };
  if (node === rest) return { name: OUTSIDE, kind: 'rest', function: '', place: null };
  const { path, type } = wire.modules[node - 1];
  return { name: path || type, kind: 'module', function: type, place: null };
}
