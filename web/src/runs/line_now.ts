import { mapBySource } from '../code/edit';
import type { LineChange, Place } from './comparison';

/** Where a line of a compared run is in the text of now; of one that is gone, where it would be. */
export function lineNow(
  lines: LineChange[],
  side: 'a' | 'b',
  { file, line }: Place,
  text: string,
): { line: number; isThere: boolean } {
  const ofFile = lines
    .map((each) => each[side])
    .filter((place) => place?.file === file)
    .map((place): [number, string] => [place!.line, place!.source ?? '']);
  const moves = mapBySource(ofFile, text.split('\n'));
  const found = moves.get(line);
  if (found !== undefined) return { line: found, isThere: true };
  const [near] = [...moves].sort(([a], [b]) => Math.abs(a - line) - Math.abs(b - line));
  return { line: near ? Math.max(1, line + near[1] - near[0]) : line, isThere: false };
}
