// The hints of a first visit.

export interface Hint {
  /** The part of the page that it is about. */
  about: string;
  title: string;
  text: string;
}

export const HINTS: Hint[] = [
  {
    about: '[data-testid="code"]',
    title: 'Your code, with what it costs',
    text: 'The bar beside a line is its share of a training step. Rest the pointer on a line for details.',
  },
  {
    about: '[role="tabpanel"]',
    title: 'Where the step goes',
    text: 'A box is as wide as what it took, and what it called hangs below it. Click to zoom, Escape to go back.',
  },
  {
    about: '[data-testid="summary"]',
    title: 'The step at a glance',
    text: 'How long it takes, what it holds at its peak, and how both divide. Once other batch sizes are measured, drag a bar to see what another one would bring.',
  },
  {
    about: '[role="tablist"]',
    title: 'And more',
    text: 'A table of all lines, findings with advice, and earlier results to compare.',
  },
];

const SEEN = 'sightline-guide';

/** Whether the hints were dismissed before; also where nothing can be remembered. */
export function isGuideSeen(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return true;
  }
}

export function rememberGuide(): void {
  try {
    localStorage.setItem(SEEN, 'seen');
  } catch {
    // Then they come again.
  }
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const WIDTH = 300;
const HEIGHT = 150;
const GAP = 10;
const LOW = 160;

/** Where a hint stands: below a low part of the page, inside a high one, and always in the window. */
export function hintPlace(
  box: Box,
  page: { width: number; height: number },
): { left: number; top: number } {
  const within = (value: number, end: number) => Math.max(GAP, Math.min(value, end - GAP));
  const top = box.height < LOW ? box.top + box.height + GAP : box.top + box.height / 3;
  return {
    left: within(box.left + box.width / 2 - WIDTH / 2, page.width - WIDTH),
    top: within(top, page.height - HEIGHT),
  };
}
