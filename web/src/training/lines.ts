import type { TrainingColours } from './colours';
import type { Line, Mark } from './draw_chart';
import { severityOf } from './health';
import { counterpart } from './selection';
import type { Training } from './training.svelte';
import type { WireSeries } from './wire';

type Drawn = Pick<Training, 'wire' | 'other' | 'curves' | 'otherCurves'>;

/** A series, and over it the same one of the other run, as far as they are there. */
export function linesOf(training: Drawn, series: WireSeries, colours: [string, string]): Line[] {
  const same = training.other && counterpart(series, training.other);
  const curves = [
    training.curves.get(series.id),
    same ? training.otherCurves.get(same.id) : undefined,
  ];
  return curves.flatMap((curve, run) =>
    curve ? [{ curve, colour: colours[run], dashed: run === 1 }] : [],
  );
}

/** Where the verdicts about a module stand. */
export function marksOf({ wire }: Drawn, module: string, colours: TrainingColours): Mark[] {
  const about = wire?.verdicts.filter((verdict) => verdict.module === module) ?? [];
  return about.map((verdict) => ({
    step: verdict.step,
    colour: severityOf(verdict) === 'error' ? colours.bad : colours.warn,
  }));
}
