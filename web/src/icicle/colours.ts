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
  /** Of the parts in the strips. */
  strips: string[];
  font: string;
}

const LEVELS = 8;

/** The page's colours as a canvas needs them; those of the strips by their custom properties. */
export function readColours(element: Element, strips: string[]): Colours {
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
    strips: strips.map(value),
    font: `11.5px ${value('--mono')}`,
  };
}

/** A build shortens colours where it can: #fff for #ffffff. */
export function channels(hex: string): number[] {
  const digits = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  return [1, 3, 5].map((at) => parseInt(digits.slice(at, at + 2), 16));
}

export function mixed(from: number[], to: number[], amount: number): string {
  return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * amount)).join(' ')})`;
}
