import type { Finding } from '../protocol';
import { bytes, count, duration, milliseconds, perSecond, percent } from '../text/format';

/** A figure that a finding went by, in words. */
export interface Figure {
  name: string;
  text: string;
}

const UNITS: [RegExp, (value: number) => string][] = [
  [/_?ms$/, milliseconds],
  [/^us_/, (microseconds) => duration(microseconds / 1000)],
  [/_?percent$/, (value) => percent(value / 100)],
  [/_?bytes$/, bytes],
  [/_per_second/, (value) => `${perSecond(value)}/s`],
];

/** What has no name but its unit. */
const NAMES: Record<string, string> = { ms: 'time', bytes: 'memory', us_per_call: 'each' };

/** The unit is told by the name, so that a rule of tomorrow is shown too. */
export function figuresOf({ evidence }: Finding): Figure[] {
  return Object.entries(evidence ?? {})
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([key, value]) => {
      const [unit, format] = UNITS.find(([pattern]) => pattern.test(key)) ?? [/$^/, count];
      return {
        name: NAMES[key] ?? key.replace(unit, '').replaceAll('_', ' ').trim(),
        text: format(value),
      };
    });
}
