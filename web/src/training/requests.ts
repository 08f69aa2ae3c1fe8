import { embeddedRun } from '../session/embedded';
import { address, get } from '../session/requests';
import type { EmbeddedTraining, WireCurve, WireCurves, WireHistograms, WireTraining } from './wire';

/** Steps to be told of, in so many columns. */
export interface Window {
  from: number;
  to: number;
  points: number;
}

const NOT_SUPERVISED: EmbeddedTraining = {
  overview: {
    supervised: false,
    growing: false,
    steps: null,
    series: [],
    histograms: [],
    epochs: [],
    verdicts: [],
  },
  curves: { series: [] },
  histograms: [],
};

/** Null in a page that has a server. */
function embedded(): EmbeddedTraining | null {
  const run = embeddedRun();
  return run && (run.training ?? NOT_SUPERVISED);
}

export async function getTraining(run: number | null): Promise<WireTraining> {
  return embedded()?.overview ?? get(address('api/training', { run }));
}

export async function getCurves(
  run: number | null,
  ids: number[],
  { from, to, points }: Window,
): Promise<WireCurve[]> {
  const inPage = embedded();
  if (inPage) {
    const wanted = new Set(ids);
    return inPage.curves.series.filter(({ id }) => wanted.has(id));
  }
  if (ids.length === 0) return [];
  const query = { run, ids: ids.join(','), from, to, points };
  return (await get<WireCurves>(address('api/series', query))).series;
}

/** All series of a figure, without their extremes. The server is asked for those that are like the
 * first: names can be anything, and an address cannot. */
export async function getHeat(
  run: number | null,
  ids: number[],
  window: Window,
): Promise<WireCurve[]> {
  if (embedded() || ids.length === 0) return getCurves(run, ids, window);
  const { from, to, points } = window;
  const query = { run, series: ids[0], from, to, columns: points };
  type Row = Pick<WireCurve, 'id' | 'step' | 'mean' | 'non_finite'>;
  const { rows } = await get<{ rows: Row[] }>(address('api/heat', query));
  return rows.map((row) => ({ ...row, min: row.mean, max: row.mean }));
}

export async function getHistograms(
  run: number | null,
  series: number,
  { from, to, points }: Window,
): Promise<WireHistograms> {
  const inPage = embedded();
  if (!inPage) return get(address('api/histograms', { run, series, from, to, columns: points }));
  const kept = inPage.histograms.find((entry) => entry.series === series);
  return kept ?? { series, step: [], edges: [], counts: [] };
}
