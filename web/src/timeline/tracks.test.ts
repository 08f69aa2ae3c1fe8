import { expect, test } from 'vitest';
import { eachBox, eachBoxOfLine } from './boxes';
import { exampleTimeline } from './example';
import { longestMatch, matchesOf } from './names';
import { endsAfter, eventAt, HEAD, neighbour, ROW, rowAt, tracksOf } from './tracks';

const tracks = tracksOf(exampleTimeline());

test('events stand by thread, depth and start', () => {
  expect(tracks.rows.map(({ thread, depth, from, to }) => [thread, depth, from, to])).toEqual([
    [0, 0, 0, 3],
    [0, 1, 3, 4],
    [1, 0, 4, 5],
  ]);
  expect([...tracks.start]).toEqual([100, 400, 800, 150, 0]);
  expect([...tracks.end]).toEqual([300, 700, 900, 200, 1000]);
  expect(tracks.heads).toEqual([0, HEAD + 2 * ROW]);
  expect(tracks.height).toBe(2 * HEAD + 3 * ROW);
});

test('forward and backward of a line are found together', () => {
  const { ofLine, firstOfLine } = tracks;
  expect([...ofLine.subarray(firstOfLine[0], firstOfLine[1])]).toEqual([0, 1, 3]);
  const boxes: number[] = [];
  eachBoxOfLine(tracks, 0, { start: 0, end: 1000 }, 100, (event) => boxes.push(event));
  expect(boxes).toEqual([0, 1, 3]);
});

test('a search in a row finds the first that ends later', () => {
  const ends = Float64Array.of(1, 3, 5, 5, 9);
  for (let time = 0; time < 11; time += 1) {
    const expected = ends.findIndex((end) => end > time);
    expect(endsAfter(ends, 0, 5, time)).toBe(expected < 0 ? 5 : expected);
  }
});

test('only what is in the span is drawn', () => {
  const drawn: number[][] = [];
  const row = tracks.rows[0];
  eachBox(tracks, row, { start: 250, end: 750 }, 500, (event, x, width) =>
    drawn.push([event, x, width]),
  );
  expect(drawn).toEqual([
    [0, 0, 50],
    [1, 150, 300],
  ]);
});

test('what is thinner than a pixel is merged, and nothing is lost', () => {
  const wire = exampleTimeline();
  const many = 200_000;
  const ones = Array<number>(many).fill(1);
  const zeros = Array<number>(many).fill(0);
  wire.duration_ns = many * 2;
  wire.events = {
    start_ns: ones.map((_, i) => i * 2),
    duration_ns: ones,
    depth: zeros,
    thread: zeros,
    line: zeros,
    operator: zeros,
    module: zeros,
    phase: ones,
  };
  const big = tracksOf(wire);
  let boxes = 0;
  let events = 0;
  const begin = performance.now();
  eachBox(big, big.rows[0], { start: 0, end: many * 2 }, 800, (_, __, ___, count) => {
    boxes += 1;
    events += count;
  });
  expect(performance.now() - begin).toBeLessThan(50);
  expect(boxes).toBeLessThanOrEqual(801);
  expect(events).toBe(many);
  boxes = 0;
  eachBoxOfLine(big, 0, { start: 0, end: many * 2 }, 800, () => (boxes += 1));
  expect(boxes).toBeLessThanOrEqual(1601);
});

test('the event at a point is found, also if it is thin', () => {
  const row = rowAt(tracks, HEAD + 2)!;
  expect(row.depth).toBe(0);
  expect(rowAt(tracks, 2)).toBeNull();
  expect(eventAt(tracks, row, 500, 0)).toBe(1);
  expect(eventAt(tracks, row, 350, 10)).toBe(-1);
  expect(eventAt(tracks, row, 305, 10)).toBe(0);
  expect(eventAt(tracks, row, 395, 10)).toBe(1);
});

test('arrows lead along the row and into events', () => {
  expect(neighbour(tracks, 0, 'ArrowRight')).toBe(1);
  expect(neighbour(tracks, 0, 'ArrowLeft')).toBe(0);
  expect(neighbour(tracks, 0, 'ArrowDown')).toBe(3);
  expect(neighbour(tracks, 3, 'ArrowUp')).toBe(0);
  expect(neighbour(tracks, 1, 'ArrowDown')).toBe(1);
});

test('a search looks at operators, lines, functions and modules', () => {
  const found = (query: string) => matchesOf(tracks, query)!;
  expect(found('CONV2D').count).toBe(3);
  expect(found('train.py:9').count).toBe(1);
  expect(found('net.forward').count).toBe(3);
  expect(longestMatch(tracks, found('conv2d'))).toBe(1);
  expect(longestMatch(tracks, found('nothing'))).toBe(-1);
  expect(matchesOf(tracks, ' ')).toBeNull();
});
