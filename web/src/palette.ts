// Colours that stay apart for the colour-blind (Okabe and Ito), by what they stand for.

export const PHASES = ['forward', 'backward', 'optimizer', 'data', 'other'] as const;
export type Phase = (typeof PHASES)[number];

const CATEGORIES = [
  'parameters',
  'buffers',
  'gradients',
  'optimizer',
  'activations',
  'inputs',
  'temporaries',
];

const HUES = [
  'parameters',
  'activations',
  'optimizer',
  'inputs',
  'buffers',
  'gradients',
  'temporaries',
].map(categoryColour);

/** How many colours there are for things that have none of their own. */
export const HUE_COUNT = HUES.length;

export function hueColour(index: number): string {
  return HUES[index % HUES.length];
}

/** The custom property with the colour of a phase of the step. */
export function phaseColour(phase: string): string {
  return `--phase-${(PHASES as readonly string[]).includes(phase) ? phase : 'other'}`;
}

/** The custom property with the colour of a category of memory. */
export function categoryColour(category: string): string {
  return `--memory-${CATEGORIES.includes(category) ? category : 'other'}`;
}
