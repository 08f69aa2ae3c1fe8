import type { Report, Source } from '../protocol';
import { fileOf, lineOf, type LineKey } from '../tree/lines';
import type { Results } from '../tree/results';
import { mapBySource, mapByText, type LineMap } from './edit';

/** Where the lines of the results are in the text on show, which may have been edited since. */
export class Placement {
  readonly edited: boolean;
  /** Null while the text is the one that was analysed. */
  readonly moves: LineMap | null;
  private readonly file: number;

  constructor(
    readonly results: Results,
    source: Source,
    lines: Report['lines'],
    textOf: (hash: string) => string | null,
  ) {
    this.file = results.wire.files.findIndex((file) => file.path === source.path);
    const analysed = results.wire.files[this.file]?.hash ?? '';
    this.edited = analysed !== '' && analysed !== source.hash;
    this.moves = this.edited ? this.movesTo(source, lines, textOf(analysed)) : null;
  }

  /** The places of lines that are in this file, and are still there. */
  shown(keys: Iterable<LineKey>): number[] {
    const lines: number[] = [];
    for (const key of keys) {
      if (fileOf(key) !== this.file) continue;
      const line = this.moves ? this.moves.get(lineOf(key)) : lineOf(key);
      if (line !== undefined) lines.push(line);
    }
    return lines;
  }

  /** The line of the results that stands at a line of the text, if it has a cost. */
  keyAt(line: number): LineKey | null {
    for (const key of this.results.lines.keys()) {
      if (fileOf(key) === this.file && this.placeOf(lineOf(key)) === line) return key;
    }
    return null;
  }

  private placeOf(line: number): number | undefined {
    return this.moves ? this.moves.get(line) : line;
  }

  private movesTo(source: Source, lines: Report['lines'], before: string | null): LineMap {
    if (before !== null) {
      const here = [...this.results.lines.keys()].filter((key) => fileOf(key) === this.file);
      return mapByText(
        before,
        source.text,
        here.map(lineOf).sort((a, b) => a - b),
      );
    }
    const said = lines.filter((line) => line.file === source.path);
    return mapBySource(
      said.map(({ line, source: text }) => [line, text ?? '']),
      source.text.split('\n'),
    );
  }
}
