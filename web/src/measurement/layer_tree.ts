import { depthOf, type Label, type Tree } from '../tree/cost_tree';
import type { Measurement, WireLayer } from './wire';

/** The layers as they called one another. Node 0 is the model, with what was measured of all. */
export interface LayerTree extends Tree {
  layers: WireLayer[];
  /** 1 for the first call of a module, 2 for the second, ... */
  call: Int32Array;
  /** In the order of the calls. */
  children: number[][];
}

export function layerTree(measurement: Measurement): LayerTree {
  const [first] = measurement.layers;
  const hasModel = first !== undefined && first.parent === 0 && first.path === '';
  const offset = hasModel ? 0 : 1;
  const layers = [modelOf(measurement, hasModel ? first : null)];
  layers.push(...measurement.layers.slice(1 - offset));
  const parent = Int32Array.from(layers, (layer, node) => parentOf(layer, node, offset));
  const call = callsOf(layers);
  const children = layers.map(() => [] as number[]);
  for (let node = 1; node < layers.length; node += 1) children[parent[node]].push(node);
  return {
    size: layers.length,
    parent,
    depth: depthOf(parent),
    labels: layers.map((layer, node) => labelOf(layer, call[node])),
    layers,
    call,
    children,
  };
}

/**
 * The optimizer's work is the model's and no layer's, so the model has the numbers of all. Layers
 * are timed in runs of their own, by which its time is the whole of theirs.
 */
function modelOf(measurement: Measurement, layer: WireLayer | null): WireLayer {
  const { model, inputs, parameters, size_bytes, footprint_bytes } = measurement;
  const { macs, effective_macs, flops, bytes, execution_time_ms, times_ms } = measurement;
  return {
    parent: 0,
    path: '',
    type: model,
    file: '',
    line: 0,
    outputs: '',
    activation_bytes: 0,
    peak_bytes: footprint_bytes.inference_peak,
    ...layer,
    inputs,
    parameters,
    parameter_bytes: size_bytes,
    macs,
    effective_macs,
    flops,
    bytes,
    time_ms: layer?.time_ms ?? execution_time_ms,
    times_ms: layer?.times_ms ?? times_ms,
  };
}

/** A caller comes before what it calls; whoever says otherwise is taken for a part of the model. */
function parentOf(layer: WireLayer, node: number, offset: number): number {
  if (node === 0) return -1;
  const above = layer.parent - 1 + offset;
  return above >= 0 && above < node ? above : 0;
}

/** Without what is in the name of the layer that called it. */
export function shortName(tree: LayerTree, node: number): string {
  const { name } = tree.labels[node];
  const above = tree.parent[node] < 0 ? '' : tree.layers[tree.parent[node]].path;
  return above && name.startsWith(`${above}.`) ? name.slice(above.length + 1) : name;
}

function callsOf(layers: WireLayer[]): Int32Array {
  const calls = new Map<string, number>();
  return Int32Array.from(layers, ({ path }) => {
    const call = (calls.get(path) ?? 0) + 1;
    calls.set(path, call);
    return call;
  });
}

function labelOf({ path, type }: WireLayer, call: number): Label {
  const name = (path || type) + (call > 1 ? ` #${call}` : '');
  return { name, kind: 'module', function: type, place: null };
}
