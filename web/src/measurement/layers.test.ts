import { expect, test } from 'vitest';
import { layoutOf, visibleBoxes } from '../icicle/layout';
import { exampleLayer, exampleMeasurement, exampleTime } from './example';
import { layerTree, shortName } from './layer_tree';
import { OTHER_TYPES, typeStrips } from './types';
import { amountsOf, intensityOf } from './widths';

const tree = layerTree(exampleMeasurement());
const plain = (values: Float64Array) => Array.from(values);

test('layers hang below those that called them, the model on top', () => {
  expect(tree.labels.map(({ name }) => name)).toEqual([
    'Net',
    'body',
    'body.conv',
    'body.conv #2',
    'body.act',
    'head',
  ]);
  expect(Array.from(tree.parent)).toEqual([-1, 0, 1, 1, 1, 0]);
  expect(Array.from(tree.depth)).toEqual([0, 1, 2, 2, 2, 1]);
});

test('below its caller a layer is called by what its caller is not called', () => {
  expect([0, 1, 2, 3, 5].map((node) => shortName(tree, node))).toEqual([
    'Net',
    'body',
    'conv',
    'conv #2',
    'head',
  ]);
});

test('without a layer for the model it stands for all that was measured', () => {
  const [, ...inside] = exampleMeasurement().layers;
  const layers = inside.map((layer) => ({ ...layer, parent: layer.parent - 1 }));
  const made = layerTree(exampleMeasurement({ layers }));
  expect(made.size).toBe(6);
  expect(made.labels[0].name).toBe('net.py');
  expect(Array.from(made.parent)).toEqual([-1, 0, 1, 1, 1, 0]);
  expect(layerTree(exampleMeasurement({ layers: [] })).size).toBe(1);
});

test('a layer that names a later one as its caller is a part of the model', () => {
  const layers = [exampleLayer(0, '', 'Net', {}), exampleLayer(9, 'a', 'A', {})];
  expect(Array.from(layerTree(exampleMeasurement({ layers })).parent)).toEqual([-1, 0]);
});

test('work of a layer has that of those it calls; the rest is its own', () => {
  const { total, own } = amountsOf(tree, 'macs', 'forward');
  expect(plain(total)).toEqual([1000, 800, 400, 400, 0, 200]);
  expect(plain(own)).toEqual([0, 0, 400, 400, 0, 200]);
  expect(amountsOf(tree, 'macs', 'backward').total[5]).toBe(400);
  expect(amountsOf(tree, 'flops', 'all').total[0]).toBe(6300);
});

test('times that do not fit into their caller are drawn smaller, all by one factor', () => {
  const { total, own } = amountsOf(tree, 'time', 'forward');
  expect(plain(total)).toEqual([10, 8, 4, 4, 0, 1]);
  expect(plain(own)).toEqual([1, 0, 4, 4, 0, 1]);
});

test('the time of the model is that of the runs in which layers were timed', () => {
  const measurement = exampleMeasurement({ execution_time_ms: exampleTime(7) });
  expect(layerTree(measurement).layers[0].time_ms!.median).toBe(10);
  const [, ...inside] = measurement.layers;
  const without = layerTree({ ...measurement, layers: inside });
  expect(without.layers[0].time_ms!.median).toBe(7);
});

test('parameters of a module that is called again count once', () => {
  expect(plain(amountsOf(tree, 'parameters', 'forward').total)).toEqual([150, 100, 100, 0, 0, 50]);
});

test('activations are the outputs of the innermost layers', () => {
  expect(plain(amountsOf(tree, 'activations', 'forward').total)).toEqual([
    680, 600, 200, 200, 200, 80,
  ]);
});

test('a layer of which nothing is known has what it calls', () => {
  const layers = exampleMeasurement().layers.map((layer, i) =>
    i === 1 ? { ...layer, time_ms: null } : layer,
  );
  const { total } = amountsOf(layerTree(exampleMeasurement({ layers })), 'time', 'forward');
  expect(total[1]).toBeCloseTo((12 * 10) / 13);
});

test('boxes are as wide as their amounts', () => {
  const layout = layoutOf(tree, amountsOf(tree, 'macs', 'forward'));
  const second = visibleBoxes(layout, 0, 100).filter(({ row }) => row === 1);
  expect(second.map(({ node, width }) => [node, width]).sort()).toEqual([
    [1, 80],
    [5, 20],
  ]);
});

test('strips have the types in proportion, the largest first', () => {
  const { names, parts, colours } = typeStrips(tree, amountsOf(tree, 'macs', 'forward').own);
  expect(names).toEqual(['Conv2d', 'Linear']);
  expect(parts.map((part) => part[0])).toEqual([800, 200]);
  expect(parts.map((part) => part[1])).toEqual([800, 0]);
  expect(new Set(colours).size).toBe(2);
});

test('types beyond the colours share one', () => {
  const layers = [exampleLayer(0, '', 'Net', { macs: 36 })];
  for (let i = 1; i <= 8; i += 1) layers.push(exampleLayer(1, `l${i}`, `T${i}`, { macs: i }));
  const many = layerTree(
    exampleMeasurement({ layers, macs: { forward: 36, backward: 0, optimizer: 0 } }),
  );
  const { names, parts } = typeStrips(many, amountsOf(many, 'macs', 'forward').own);
  expect(names).toEqual(['T8', 'T7', 'T6', 'T5', 'T4', 'T3', OTHER_TYPES]);
  expect(parts.map((part) => part[0])).toEqual([8, 7, 6, 5, 4, 3, 3]);
});

test('intensity is arithmetic for a byte, and nothing where no byte is moved', () => {
  expect(intensityOf(exampleMeasurement(), 'forward')).toBe(4);
  expect(intensityOf(exampleLayer(0, '', 'Net', { bytes: 0 }), 'forward')).toBeNull();
});
