import { bytes, duration, exact, percent, quantity } from '../text/format';
import type { LayerTree } from './layer_tree';
import { intensityOf, ofPass, type Pass } from './widths';

export interface LayerFacts {
  name: string;
  about: string[];
  rows: { name: string; text: string; raw: string }[];
}

/** What is said of the layer that the pointer or the keyboard is on. */
export function layerFacts(
  tree: LayerTree,
  node: number,
  pass: Pass,
  width: Float64Array,
): LayerFacts {
  const layer = tree.layers[node];
  const { name } = tree.labels[node];
  const [macs, flops] = [ofPass(layer.macs, pass), ofPass(layer.flops, pass)];
  const intensity = intensityOf(layer, pass);
  const time = layer.time_ms;
  const share = width[0] > 0 ? width[node] / width[0] : 0;
  const rows = [
    { name: 'share', text: percent(share), raw: '' },
    { name: 'MACs', text: quantity(macs, 'MAC'), raw: exact(macs) },
    { name: 'FLOPs', text: quantity(flops, 'FLOP'), raw: exact(flops) },
    {
      name: 'parameters',
      text: quantity(layer.parameters.total),
      raw: exact(layer.parameters.total),
    },
    { name: 'outputs', text: bytes(layer.activation_bytes), raw: exact(layer.activation_bytes) },
    { name: 'intensity', text: quantity(intensity, 'FLOP/B'), raw: '' },
    { name: 'time', text: duration(time?.median), raw: time ? `${exact(time.runs)} runs` : '' },
  ];
  return {
    name,
    about: [
      layer.type === name ? '' : layer.type,
      layer.file ? `${layer.file}:${layer.line}` : '',
      `${layer.inputs} → ${layer.outputs}`,
    ].filter((text) => text !== ''),
    rows,
  };
}
