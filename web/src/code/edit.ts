export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The one replacement that makes `after` of `before`, without the ends they share. */
export function minimalChange(before: string, after: string): Change | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < most - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  return {
    from: head,
    to: before.length - tail,
    insert: after.slice(head, after.length - tail),
  };
}

/** Where lines of the analysed text are in the text of now. Lines that are gone are left out. */
export type LineMap = Map<number, number>;

/** By the texts: exact outside the part that was edited, and by equal text inside it. */
export function mapByText(before: string, after: string, lines: Iterable<number>): LineMap {
  const old = before.split('\n');
  const now = after.split('\n');
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const map: LineMap = new Map();
  const edited: [number, string][] = [];
  for (const line of lines) {
    if (line <= head) map.set(line, line);
    else if (line > old.length - tail) map.set(line, line + now.length - old.length);
    else edited.push([line, old[line - 1] ?? '']);
  }
  const inside = mapBySource(edited, now.slice(head, now.length - tail), head);
  for (const [line, found] of inside) map.set(line, found);
  return map;
}

/** By what each line said: the nearest line of now that says the same and is not yet taken. */
export function mapBySource(
  lines: Iterable<[line: number, source: string]>,
  now: string[],
  offset = 0,
): LineMap {
  const places = new Map<string, number[]>();
  now.forEach((text, i) => {
    const found = places.get(text.trim());
    if (found) found.push(i + 1 + offset);
    else places.set(text.trim(), [i + 1 + offset]);
  });
  const map: LineMap = new Map();
  for (const [line, source] of lines) {
    const candidates = source.trim() ? places.get(source.trim()) : undefined;
    if (!candidates?.length) continue;
    let nearest = 0;
    candidates.forEach((place, i) => {
      if (Math.abs(place - line) < Math.abs(candidates[nearest] - line)) nearest = i;
    });
    map.set(line, candidates[nearest]);
    candidates.splice(nearest, 1);
  }
  return map;
}
