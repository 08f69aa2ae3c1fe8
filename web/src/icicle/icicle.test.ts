import { expect, test } from 'vitest';
import { codeTree } from '../tree/code_tree';
import { exampleTree } from '../tree/example';
import { moved } from './keys';
import { boxOf, layoutOf, nodeAt, visibleBoxes } from './layout';
import { search } from './search';

const tree = codeTree(exampleTree());
const time = layoutOf(tree, tree.value.time);

test('the step fills the width and children stand largest first', () => {
  const boxes = visibleBoxes(time, 0, 250);
  expect(boxes[0]).toEqual({ node: 0, row: 0, x: 0, width: 250 });
  const second = boxes.filter((box) => box.row === 1).sort((a, b) => a.x - b.x);
  expect(second.map((box) => [box.node, box.x, box.width])).toEqual([
    [1, 0, 190],
    [7, 190, 50],
  ]);
});

test('boxes below half a pixel are not drawn one by one', () => {
  const boxes = visibleBoxes(time, 0, 2);
  expect(boxes.some((box) => box.node === 7)).toBe(false);
  expect(boxes.every((box) => box.width >= 0.5)).toBe(true);
});

test('the box of a node is the one that is drawn', () => {
  for (const box of visibleBoxes(time, 1, 400)) {
    const found = boxOf(time, 1, box.node, 400)!;
    expect(found.row).toBe(box.row);
    expect(found.x).toBeCloseTo(box.x);
    expect(found.width).toBeCloseTo(box.width);
  }
});

test('the node at a point is the one whose box is there', () => {
  for (const box of visibleBoxes(time, 0, 250)) {
    expect(nodeAt(time, 0, 250, box.x + box.width - 0.01, box.row)).toBe(box.node);
  }
  expect(nodeAt(time, 0, 250, 245, 1)).toBe(-1);
});

test('a node outside the zoomed one has no box', () => {
  expect(boxOf(time, 2, 7, 100)).toBeNull();
});

test('arrows go to the parent, the largest child and the siblings', () => {
  expect(moved(time, 0, 0, 'ArrowDown')).toBe(1);
  expect(moved(time, 0, 1, 'ArrowRight')).toBe(7);
  expect(moved(time, 0, 7, 'ArrowLeft')).toBe(1);
  expect(moved(time, 0, 7, 'ArrowUp')).toBe(0);
  expect(moved(time, 2, 2, 'ArrowUp')).toBe(2);
});

test('a search finds names and functions, and counts nested matches once', () => {
  const found = search(tree, 'MODEL.py:2')!;
  expect([...found.nodes]).toEqual([2, 4]);
  expect(found.share.time).toBeCloseTo(15 / 25);
  expect(search(tree, 'net.forward')!.nodes.size).toBe(5);
  expect(search(tree, '  ')).toBeNull();
});

test('20 000 nodes are laid out within a frame or two', () => {
  const size = 20000;
  const wire = exampleTree();
  const nodes = Object.fromEntries(
    Object.keys(wire.nodes).map((key) => [key, Array<number>(size).fill(1)]),
  ) as unknown as typeof wire.nodes;
  nodes.parent = Array.from({ length: size }, (_, node) => (node ? (node - 1) >> 2 : -1));
  const big = codeTree({ ...wire, nodes });
  const begin = performance.now();
  const layout = layoutOf(big, big.value.time);
  visibleBoxes(layout, 0, 1200);
  expect(performance.now() - begin).toBeLessThan(200);
});
