import type { WireTree } from '../protocol';
import { ownColumns } from './costs';
import { costTree, type CostTree, type Label } from './cost_tree';

/** The tree as it came: lines that call lines, with operators as leaves. */
export function codeTree(wire: WireTree): CostTree {
  const parent = Int32Array.from(wire.nodes.parent);
  return costTree({
    parent,
    labels: Array.from(parent, (_, node) => labelOf(wire, node)),
    own: ownColumns(wire),
    ownCategories: peakByCategory(wire, parent.length, (node) => node),
  });
}

const MODULE = 1;
const OPERATOR = 2;

function labelOf(wire: WireTree, node: number): Label {
  const { nodes } = wire;
  if (node === 0) return { name: 'step', kind: 'step', function: '', place: null };
  const file = wire.files[nodes.file[node]];
  const place = file ? { file: nodes.file[node], line: nodes.line[node] } : null;
  const called = wire.functions[nodes.function[node]] ?? '';
  const module = wire.modules[nodes.module[node]];
  if (nodes.kind[node] === OPERATOR) {
    return {
      name: wire.operators[nodes.operator[node]] ?? '?',
      kind: 'operator',
      function: called,
      place,
    };
  }
  if (nodes.kind[node] === MODULE && module) {
    return { name: module.path || module.type, kind: 'module', function: module.type, place };
  }
  return {
    name: file ? `${file.path}:${nodes.line[node]}` : called || '?',
    kind: 'line',
    function: called,
    place,
  };
}

/** Bytes at the peak as one column for each category, at the node that `owner` names. */
export function peakByCategory(
  wire: WireTree,
  size: number,
  owner: (node: number) => number,
): Float64Array[] {
  const columns = wire.categories.map(() => new Float64Array(size));
  const { node, category, bytes } = wire.peak;
  for (let i = 0; i < node.length; i += 1) {
    const column = columns[category[i]];
    if (column) column[owner(node[i])] += bytes[i];
  }
  return columns;
}
