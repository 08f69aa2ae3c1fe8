import { categoryColour, phaseColour } from '../palette';

export interface Colours {
  background: string;
  text: string;
  faint: string;
  rest: string;
  accent: string;
  lit: string;
  match: string;
  /** From cold to hot. */
  heat: string[];
  phases: string[];
  categories: string[];
  font: string;
}

const LEVELS = 8;

/** The page's colours as a canvas needs them. */
export function readColours(element: Element, categories: string[]): Colours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const cold = channels(value('--box'));
  const hot = channels(value('--box-hot'));
  return {
    background: value('--panel'),
    text: value('--text'),
    faint: value('--faint'),
    rest: value('--border'),
    accent: value('--accent'),
    lit: value('--lit-box'),
    match: value('--match'),
    heat: Array.from({ length: LEVELS }, (_, level) => mixed(cold, hot, level / (LEVELS - 1))),
    // The order of PHASE_COLUMNS.
    phases: ['forward', 'backward', 'optimizer', 'data', 'other'].map((p) => value(phaseColour(p))),
    categories: categories.map((category) => value(categoryColour(category))),
    font: `11.5px ${value('--mono')}`,
  };
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function mixed(from: number[], to: number[], amount: number): string {
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * amount)).join(' ')})`;
}
