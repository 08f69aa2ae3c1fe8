import { channels, mixed } from '../icicle/colours';
import { HUE_COUNT, hueColour } from '../palette';
import { LEVELS } from './heat';

export interface TrainingColours {
  text: string;
  faint: string;
  border: string;
  raised: string;
  accent: string;
  bad: string;
  warn: string;
  /** Of the run that another is compared with, and of that other. */
  runs: [string, string];
  hues: string[];
  /** From small to large. */
  heat: string[];
  font: string;
}

/** The page's colours as a canvas needs them. */
export function readTrainingColours(element: Element): TrainingColours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: value('--text'),
    faint: value('--faint'),
    border: value('--border'),
    raised: value('--raised'),
    accent: value('--accent'),
    bad: value('--bad'),
    warn: value('--warn'),
    runs: [value('--accent'), value('--phase-backward')],
    hues: Array.from({ length: HUE_COUNT }, (_, hue) => value(hueColour(hue))),
    heat: ramp([value('--box'), value('--phase-backward'), value('--heat')]),
    font: `10.5px ${value('--sans')}`,
  };
}

function ramp(stops: string[]): string[] {
  const colours = stops.map(channels);
  return Array.from({ length: LEVELS }, (_, level) => {
    const place = (level / (LEVELS - 1)) * (stops.length - 1);
    const at = Math.min(stops.length - 2, Math.floor(place));
    return mixed(colours[at], colours[at + 1], place - at);
  });
}
