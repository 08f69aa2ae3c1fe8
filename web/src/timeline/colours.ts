import { channels, mixed } from '../icicle/colours';
import { categoryColour, HUE_COUNT, hueColour, phaseColour } from '../palette';

export interface TimelineColours {
  background: string;
  text: string;
  faint: string;
  border: string;
  accent: string;
  lit: string;
  match: string;
  font: string;
  phases: string[];
  modules: string[];
  categories: string[];
}

export type ColourBy = 'phase' | 'module';

// Soft enough for text to be read on them; modules have each hue twice.
const SOFT = 0.5;
const SOFTER = 0.28;

export function readTimelineColours(
  element: Element,
  phases: string[],
  categories: string[],
): TimelineColours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const panel = channels(value('--panel'));
  const soft = (name: string, amount: number) => mixed(panel, channels(value(name)), amount);
  return {
    background: value('--panel'),
    text: value('--text'),
    faint: value('--faint'),
    border: value('--border'),
    accent: value('--accent'),
    lit: value('--lit-box'),
    match: value('--match'),
    font: `11px ${value('--mono')}`,
    phases: phases.map((phase) => soft(phaseColour(phase), SOFT)),
    modules: [SOFT, SOFTER].flatMap((amount) =>
      Array.from({ length: HUE_COUNT }, (_, hue) => soft(hueColour(hue), amount)),
    ),
    categories: categories.map((category) => value(categoryColour(category))),
  };
}
