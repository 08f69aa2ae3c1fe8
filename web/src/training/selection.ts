import { visible } from '../text/visible';
import type { WireSeries, WireSeriesName, WireTraining } from './wire';

/** What is looked at of each module. */
export interface Figure {
  topic: string;
  statistic: string;
}

/** What most want to see first. */
const PREFERRED: Figure[] = [
  { topic: 'weight_gradients', statistic: 'l2' },
  { topic: 'gradients', statistic: 'l2' },
  { topic: 'loss', statistic: '' },
];

const byName = (a: string, b: string) => a.localeCompare(b, undefined, { numeric: true });

export function topicsOf({ series }: WireTraining): string[] {
  return [...new Set(series.map(({ topic }) => topic))].sort(byName);
}

export function statisticsOf({ series }: WireTraining, topic: string): string[] {
  const those = series.filter((entry) => entry.topic === topic);
  return [...new Set(those.map(({ statistic }) => statistic))].sort(byName);
}

/** The figure that was asked for, or the nearest to it that the training has. */
export function figureOf(training: WireTraining, asked: Figure | null): Figure | null {
  const has = ({ topic, statistic }: Figure) =>
    training.series.some((entry) => entry.topic === topic && entry.statistic === statistic);
  if (asked && has(asked)) return asked;
  const [statistic] = asked ? statisticsOf(training, asked.topic) : [];
  if (asked && statistic !== undefined) return { topic: asked.topic, statistic };
  const first = training.series[0];
  return PREFERRED.find(has) ?? (first ? { topic: first.topic, statistic: first.statistic } : null);
}

/** The series of a figure, in the order of the model; of a module and those in it, if one is named. */
export function seriesOf(
  training: WireTraining,
  figure: Figure | null,
  module: string | null,
): WireSeries[] {
  if (!figure) return [];
  return training.series.filter(
    (entry) =>
      entry.topic === figure.topic &&
      entry.statistic === figure.statistic &&
      (module === null || isInModule(entry.module, module)),
  );
}

export function isInModule(path: string, module: string): boolean {
  return module === '' || path === module || path.startsWith(`${module}.`);
}

/** The same series of another run. */
export function counterpart(series: WireSeries, other: WireTraining): WireSeries | null {
  return (
    other.series.find(
      ({ module, tensor, topic, statistic }) =>
        module === series.module &&
        tensor === series.tensor &&
        topic === series.topic &&
        statistic === series.statistic,
    ) ?? null
  );
}

/** Names a series where topic and statistic are known. */
export function nameOf({ module, tensor, topic }: WireSeriesName): string {
  const name = [module, tensor].filter(Boolean).join(' · ');
  return visible(name || topic);
}

export function figureName({ topic, statistic }: Figure): string {
  return visible(statistic ? `${topic}, ${statistic}` : topic);
}
