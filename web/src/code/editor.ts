import { python } from '@codemirror/lang-python';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { visible } from '../text/visible';
import { minimalChange } from './edit';
import type { LineHeat } from './heat';
import { lineMarksExtension, NO_MARKS, setHeat, setMarks, withHeat, type LineMarks } from './marks';
import { codeTheme } from './theme';

/** A file, and what its lines cost. */
export interface ShownFile {
  path: string;
  text: string;
  heat: LineHeat[];
  old: boolean;
}

export interface EditorEvents {
  hover(line: number | null, x: number, y: number): void;
  click(line: number): void;
  key(event: KeyboardEvent): void;
  scroll(): void;
}

/**
 * A file, read-only. It stands in a shadow root: there CodeMirror adopts style sheets, where in the
 * document it would add style elements, which the content-security policy forbids.
 */
export class CodeEditor {
  private readonly view: EditorView;
  private path: string;
  private marked = UNMARKED;

  constructor(
    host: HTMLElement,
    private readonly events: EditorEvents,
    first: ShownFile,
  ) {
    this.path = first.path;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.view = new EditorView({ state: this.stateOf(first), parent: root, root });
    const scroller = this.view.scrollDOM;
    scroller.addEventListener('pointermove', (event) => {
      events.hover(this.lineAt(event.clientY), event.clientX, event.clientY);
    });
    scroller.addEventListener('pointerleave', () => events.hover(null, 0, 0));
    scroller.addEventListener('click', (event) => {
      const line = this.lineAt(event.clientY);
      if (line !== null) events.click(line);
    });
    this.view.contentDOM.addEventListener('keydown', (event) => events.key(event));
    scroller.addEventListener('scroll', () => events.scroll());
  }

  /** Another file takes the place of the old one; of the same file only what differs changes. */
  show(file: ShownFile): void {
    if (file.path !== this.path) {
      this.view.setState(this.stateOf(file));
      this.view.scrollDOM.scrollTop = 0;
      this.path = file.path;
      this.marked = UNMARKED;
    } else {
      const changes = minimalChange(
        this.view.state.doc.toString(),
        this.view.state.toText(file.text).toString(),
      );
      if (changes) this.view.dispatch({ changes });
      this.view.dispatch({ effects: setHeat.of(file) });
    }
    queueMicrotask(() => this.events.scroll());
  }

  mark(marks: LineMarks): void {
    const lines = JSON.stringify(marks);
    if (lines === this.marked) return;
    this.marked = lines;
    this.view.dispatch({ effects: setMarks.of(marks) });
  }

  goTo(line: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }

  /** Where a line stands in the window, after it was brought into view. */
  reveal(line: number): { x: number; y: number } {
    const { from } = this.view.state.doc.line(line);
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 40 }) });
    const frame = this.view.contentDOM.getBoundingClientRect();
    return { x: frame.left, y: this.view.documentTop + this.view.lineBlockAt(from).bottom };
  }

  get lines(): number {
    return this.view.state.doc.lines;
  }

  /** The first and last line that can be seen. */
  get window(): { from: number; to: number } {
    const { scrollTop, clientHeight } = this.view.scrollDOM;
    const { doc } = this.view.state;
    const lineAt = (height: number) => doc.lineAt(this.view.lineBlockAtHeight(height).from).number;
    return { from: lineAt(scrollTop), to: lineAt(scrollTop + clientHeight) };
  }

  destroy(): void {
    this.view.destroy();
  }

  private stateOf({ text, heat, old }: ShownFile): EditorState {
    const moved = EditorView.updateListener.of((update) => {
      if (update.geometryChanged) queueMicrotask(() => this.events.scroll());
    });
    return EditorState.create({ doc: text, extensions: [EXTENSIONS, withHeat(heat, old), moved] });
  }

  private lineAt(clientY: number): number | null {
    const block = this.view.lineBlockAtHeight(clientY - this.view.documentTop);
    if (clientY > this.view.documentTop + block.bottom + 1) return null;
    return this.view.state.doc.lineAt(block.from).number;
  }
}

const UNMARKED = JSON.stringify(NO_MARKS);

const EXTENSIONS: Extension = [
  lineNumbers(),
  lineMarksExtension,
  python(),
  codeTheme,
  highlightSpecialChars({
    addSpecialChars: /[\u061c\u200c\u200d\u202a-\u202c\u2060-\u206f]/g,
    render: (code) => {
      const shown = document.createElement('span');
      shown.className = 'escaped';
      shown.textContent = visible(String.fromCodePoint(code));
      return shown;
    },
  }),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({
    tabindex: '0',
    'aria-label': 'source code',
    'aria-readonly': 'true',
  }),
];
