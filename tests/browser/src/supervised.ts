import { craft, type SqlStatement } from './craft';

export type MadePoint = [step: number, value: number];

export interface MadeSeries {
  module: string;
  tensor?: string;
  topic: string;
  statistic: string;
  points: MadePoint[];
}

export interface MadeVerdict {
  rule: string;
  severity?: string;
  step: number;
  module: string;
  topic: string;
  operator?: string;
  file?: string;
  line?: number;
  cause: string;
  advice: string;
  evidence?: Record<string, number>;
}

export interface MadeHistogram {
  step: number;
  edges: number[];
  counts: number[];
}

export interface MadeTraining {
  series: MadeSeries[];
  histograms?: { module: string; topic: string; kept: MadeHistogram[] }[];
  verdicts?: MadeVerdict[];
  epochs?: [epoch: number, first: number, last: number][];
  /** Whether it is still being recorded. */
  growing?: boolean;
}

const POINTS_OF_A_CHUNK = 400;

/** Puts a training into a run file. */
export function supervise(run: string, training: MadeTraining): void {
  const statements: SqlStatement[] = [];
  training.series.forEach((series, at) => {
    statements.push(definition(at + 1, series), ...chunksOf(at + 1, series.points));
  });
  (training.histograms ?? []).forEach(({ module, topic, kept }, at) => {
    const id = training.series.length + at + 1;
    statements.push(definition(id, { module, topic, statistic: 'histogram', points: [] }));
    for (const histogram of kept) statements.push(histogramRow(id, histogram));
  });
  (training.epochs ?? []).forEach((epoch) =>
    statements.push(['INSERT INTO epochs VALUES (?, ?, ?)', ...epoch]),
  );
  (training.verdicts ?? []).forEach((verdict, at) =>
    statements.push(...verdictRows(at + 1, verdict)),
  );
  if (training.growing) statements.push([`UPDATE meta SET value = '0' WHERE key = 'finished'`]);
  craft(run, statements);
}

/** Adds points to a series that is there, as a recording would. */
export function grow(run: string, id: number, points: MadePoint[]): void {
  const last = points.at(-1)!;
  craft(run, [
    ...chunksOf(id, points),
    [
      'UPDATE series SET points = points + ?, last_step = ?, last = ? WHERE id = ?',
      points.length,
      ...last,
      id,
    ],
  ]);
}

function definition(id: number, series: MadeSeries): SqlStatement {
  const { module, tensor = 'weight', topic, statistic, points } = series;
  const finite = points.map(([, value]) => value).filter(Number.isFinite);
  const least = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const most = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  const last = points.at(-1);
  return [
    `INSERT INTO series (id, module, tensor, topic, statistic, position, operator, file, line,
       points, non_finite, first_step, last_step, last, minimum, maximum)
     VALUES (?, ?, ?, ?, ?, ?, '', '', 0, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    module,
    tensor,
    topic,
    statistic,
    id,
    points.length,
    points.length - finite.length,
    points[0]?.[0] ?? null,
    last?.[0] ?? null,
    finiteOr(last?.[1]),
    finiteOr(least),
    finiteOr(most),
  ];
}

function chunksOf(id: number, points: MadePoint[]): SqlStatement[] {
  const statements: SqlStatement[] = [];
  for (let from = 0; from < points.length; from += POINTS_OF_A_CHUNK) {
    const part = points.slice(from, from + POINTS_OF_A_CHUNK);
    const finite = part.map(([, value]) => value).filter(Number.isFinite);
    statements.push([
      `INSERT INTO series_chunks
         (series, first_step, last_step, points, minimum, mean, maximum, chunk)
       VALUES (?, ?, ?, ?, ?, ?, ?, x'${packed(part)}')`,
      id,
      part[0]![0],
      part.at(-1)![0],
      part.length,
      finiteOr(Math.min(...finite)),
      finiteOr(finite.reduce((sum, value) => sum + value, 0) / finite.length),
      finiteOr(Math.max(...finite)),
    ]);
  }
  return statements;
}

function histogramRow(id: number, { step, edges, counts }: MadeHistogram): SqlStatement {
  const bins = edges.map((edge, at): MadePoint => [counts[at] ?? 0, edge]);
  return [`INSERT INTO histograms VALUES (?, ?, ?, x'${packed(bins)}')`, id, step, counts.length];
}

function verdictRows(id: number, verdict: MadeVerdict): SqlStatement[] {
  const { severity = 'warning', operator = '', file = '', line = 0, evidence = {} } = verdict;
  return [
    [
      `INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, 'weight', ?, ?, ?, ?, ?, ?)`,
      id,
      verdict.rule,
      severity,
      verdict.step,
      verdict.module,
      verdict.topic,
      operator,
      file,
      line,
      verdict.cause,
      verdict.advice,
    ],
    ...Object.entries(evidence).map(([name, value], at): SqlStatement => [
      'INSERT INTO verdict_evidence VALUES (?, ?, ?, ?)',
      id,
      at,
      name,
      value,
    ]),
  ];
}

const finiteOr = (value: number | undefined) =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** Points as core/store/series_coding.h says, in hexadecimal digits. */
function packed(points: MadePoint[]): string {
  const bytes = [...packedSteps(points.map(([step]) => step)), ...packedValues(points)];
  return Buffer.from(bytes).toString('hex');
}

function packedSteps(steps: number[]): number[] {
  const distances = steps.map((step, at) => step - (steps[at - 1] ?? 0));
  const bytes: number[] = [];
  for (let at = 0; at < distances.length;) {
    const distance = distances[at]!;
    let next = at + 1;
    while (next < distances.length && distances[next] === distance) next += 1;
    bytes.push(
      ...varint(distance >= 0 ? 2 * distance : -2 * distance - 1),
      ...varint(next - at - 1),
    );
    at = next;
  }
  return bytes;
}

function packedValues(points: MadePoint[]): number[] {
  const bytes: number[] = [];
  let before = Buffer.alloc(8);
  for (const [, value] of points) {
    const now = Buffer.alloc(8);
    now.writeDoubleLE(value);
    const changed = now.map((byte, at) => byte ^ before[at]!);
    const first = changed.findIndex((byte) => byte !== 0);
    if (first < 0) bytes.push(0);
    else {
      const last = changed.findLastIndex((byte) => byte !== 0);
      bytes.push((first << 4) | (last - first + 1), ...changed.subarray(first, last + 1));
    }
    before = now;
  }
  return bytes;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
