import {
  RangeSet,
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
} from '@codemirror/state';
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from '@codemirror/view';
import type { LineHeat } from './heat';

const BAR_WIDTH = 48;

class CostMarker extends GutterMarker {
  constructor(
    readonly heat: LineHeat,
    readonly old: boolean,
  ) {
    super();
  }

  override eq(other: CostMarker): boolean {
    const { text, total, own, level } = this.heat;
    const that = other.heat;
    return (
      this.old === other.old &&
      text === that.text &&
      total === that.total &&
      own === that.own &&
      level === that.level
    );
  }

  override toDOM(): Node {
    const cost = element('cost');
    if (this.old) cost.classList.add('old');
    const bar = element('bar');
    bar.style.width = `${this.heat.total * BAR_WIDTH}px`;
    const own = element('own');
    own.style.width = `${this.heat.own * BAR_WIDTH}px`;
    const text = element('text');
    text.textContent = this.heat.text;
    cost.append(bar, own, text);
    return cost;
  }
}

function element(className: string): HTMLElement {
  const made = document.createElement('span');
  made.className = className;
  return made;
}

interface Heat {
  costs: RangeSet<GutterMarker>;
  lines: DecorationSet;
}

export const setHeat = StateEffect.define<{ heat: LineHeat[]; old: boolean }>();

const heatField = StateField.define<Heat>({
  create: () => ({ costs: RangeSet.empty, lines: Decoration.none }),
  update(heat, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setHeat))
        return heatMarks(transaction.state, effect.value.heat, effect.value.old);
    }
    if (!transaction.docChanged) return heat;
    return {
      costs: heat.costs.map(transaction.changes),
      lines: heat.lines.map(transaction.changes),
    };
  },
  provide: (field) => EditorView.decorations.from(field, (heat) => heat.lines),
});

/** Heat that is there from the beginning. */
export function withHeat(heat: LineHeat[], old: boolean): Extension {
  return heatField.init((state) => heatMarks(state, heat, old));
}

function heatMarks(state: EditorState, heat: LineHeat[], old: boolean): Heat {
  const inside = heat.filter(({ line }) => line >= 1 && line <= state.doc.lines);
  const at = (entry: LineHeat) => state.doc.line(entry.line).from;
  const hot = old ? [] : inside.filter(({ level }) => level > 0);
  return {
    costs: RangeSet.of(inside.map((entry) => new CostMarker(entry, old).range(at(entry)))),
    lines: Decoration.set(hot.map((entry) => HOT[entry.level].range(at(entry)))),
  };
}

const HOT = [0, 1, 2, 3, 4].map((level) => Decoration.line({ class: `heat-${level}` }));

export interface LineMarks {
  lit: number[];
  chosen: number[];
  wrong: number[];
}

export const NO_MARKS: LineMarks = { lit: [], chosen: [], wrong: [] };

export const setMarks = StateEffect.define<LineMarks>();

const MARKS = {
  lit: Decoration.line({ class: 'lit' }),
  chosen: Decoration.line({ class: 'chosen' }),
  wrong: Decoration.line({ class: 'wrong' }),
};

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) return lineMarks(transaction.state, effect.value);
    }
    return transaction.docChanged ? marks.map(transaction.changes) : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function lineMarks(state: EditorState, marks: LineMarks): DecorationSet {
  const ranges = (['lit', 'chosen', 'wrong'] as const).flatMap((kind) =>
    marks[kind]
      .filter((line) => line >= 1 && line <= state.doc.lines)
      .map((line) => MARKS[kind].range(state.doc.line(line).from)),
  );
  return Decoration.set(ranges, true);
}

const SPACER = new CostMarker({ line: 0, text: '', total: 0, own: 0, level: 0 }, false);

export const lineMarksExtension: Extension = [
  heatField,
  marksField,
  gutter({
    class: 'cm-costs',
    markers: (view) => view.state.field(heatField).costs,
    initialSpacer: () => SPACER,
  }),
];
