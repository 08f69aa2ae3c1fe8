import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Colours are the page's own custom properties, which reach into the shadow root.

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.comment, tags.docString], color: 'var(--code-comment)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  {
    tag: [
      tags.function(tags.definition(tags.variableName)),
      tags.className,
      tags.definition(tags.className),
    ],
    color: 'var(--code-name)',
  },
  { tag: [tags.meta, tags.self], color: 'var(--code-keyword)' },
]);

const frame = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { padding: '4px 0 40vh', outline: 'none' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--faint)',
    border: 'none',
    borderRight: '1px solid var(--border)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '36px', padding: '0 8px 0 4px' },
  '.heat-1': { backgroundColor: 'var(--heat-line-1)' },
  '.heat-2': { backgroundColor: 'var(--heat-line-2)' },
  '.heat-3': { backgroundColor: 'var(--heat-line-3)' },
  '.heat-4': { backgroundColor: 'var(--heat-line-4)' },
  '.cm-line.lit': { backgroundColor: 'var(--lit)', boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-line.chosen': { boxShadow: 'inset 3px 0 var(--accent), inset 0 0 0 1px var(--accent)' },
  '.cm-line.wrong': { boxShadow: 'inset 3px 0 var(--bad)', backgroundColor: 'var(--bad-soft)' },
  '.cost': {
    position: 'relative',
    width: '118px',
    height: '20px',
    display: 'flex',
    alignItems: 'center',
    fontVariantNumeric: 'tabular-nums',
    cursor: 'pointer',
  },
  '.cost .bar': {
    position: 'absolute',
    left: '6px',
    top: '4px',
    height: '12px',
    minWidth: '1px',
    borderRadius: '2px',
    backgroundColor: 'var(--heat-soft)',
  },
  '.cost .own': {
    position: 'absolute',
    left: '6px',
    top: '4px',
    height: '12px',
    borderRadius: '2px',
    backgroundColor: 'var(--heat)',
  },
  '.cost .text': {
    marginLeft: 'auto',
    paddingRight: '8px',
    fontSize: '11.5px',
    color: 'var(--text)',
  },
  '.cost.old': { filter: 'grayscale(1)' },
  '.cost.old .text': { fontStyle: 'italic', color: 'var(--faint)' },
  '.escaped': { color: 'var(--bad)', border: '1px solid var(--bad)', borderRadius: '2px' },
});

export const codeTheme = [frame, syntaxHighlighting(colours)];
