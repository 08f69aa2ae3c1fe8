// What the cards above the layers say.
import { exact, percent } from '../text/format';
import { exactText, figuresOf, shortText, type Figure } from './figures';
import type { Measurement } from './wire';

export interface Said {
  text: string;
  /** With all digits. */
  tip: string;
}

export interface CardText {
  id: string;
  title: string;
  value: Said;
  lines: Said[];
}

const NOTHING: Said = { text: '', tip: '' };

export function cardsOf(measurement: Measurement): CardText[] {
  const found = new Map(figuresOf(measurement).map((figure) => [figure.id, figure]));
  const of = (id: string) => found.get(id)!;
  return [
    parameterCard(measurement, of),
    {
      id: 'macs',
      title: 'MACs, forward',
      value: said(of('macs')),
      lines: [backwardLine(of('macs-backward')), macsNote(measurement, of)],
    },
    {
      id: 'flops',
      title: 'FLOPs, forward',
      value: said(of('flops')),
      lines: [backwardLine(of('flops-backward')), line('', of('intensity'))],
    },
    timeCard(measurement, of),
  ];
}

type Find = (id: string) => Figure;

function parameterCard({ parameters }: Measurement, of: Find): CardText {
  const { frozen, buffers } = parameters;
  const trained = frozen > 0 ? line(' frozen', of('frozen')) : { text: 'all trainable', tip: '' };
  return {
    id: 'parameters',
    title: 'Parameters',
    value: said(of('parameters')),
    lines: [
      line('', of('size')),
      joined(trained, buffers > 0 ? line(' in buffers', of('buffers')) : NOTHING),
    ],
  };
}

function timeCard({ execution_time_ms: time, batch_size }: Measurement, of: Find): CardText {
  const spread: Said = time
    ? {
        text: `p10–p90 ${shortText(time.p10, 'ms')} – ${shortText(time.p90, 'ms')} · ${exact(time.runs)} runs`,
        tip: `${exactText(time.p10, 'ms')} – ${exactText(time.p90, 'ms')}`,
      }
    : { text: 'was not measured', tip: '' };
  const rates = [batch_size > 0 ? line('', of('throughput')) : NOTHING, line('', of('speed'))];
  return {
    id: 'time',
    title: 'Execution time, median',
    value: said(of('time')),
    lines: [spread, time ? joined(...rates) : NOTHING],
  };
}

/** What a causal mask throws away, or the work for one sample. */
function macsNote({ macs, effective_macs, batch_size }: Measurement, of: Find): Said {
  if (effective_macs.forward < macs.forward) {
    const kept = of('effective-macs');
    return { text: `${shortText(kept.value, 'MAC')} without masked`, tip: tipOf(kept) };
  }
  if (batch_size < 2) return NOTHING;
  const each = macs.forward / batch_size;
  return { text: `${shortText(each, 'MAC')} per sample`, tip: exactText(each, 'MAC') };
}

function backwardLine(figure: Figure): Said {
  return figure.value === null
    ? { text: 'no backward pass', tip: '' }
    : { text: `backward ${shortText(figure.value, figure.unit)}`, tip: tipOf(figure) };
}

function said(figure: Figure): Said {
  return { text: shortText(figure.value, figure.unit), tip: tipOf(figure) };
}

function line(after: string, figure: Figure): Said {
  return { text: shortText(figure.value, figure.unit) + after, tip: tipOf(figure) };
}

function joined(...parts: Said[]): Said {
  const there = parts.filter(({ text }) => text !== '');
  return {
    text: there.map(({ text }) => text).join(' · '),
    tip: there
      .map(({ tip }) => tip)
      .filter((tip) => tip !== '')
      .join(' · '),
  };
}

function tipOf({ value, unit }: Figure): string {
  return value === null ? '' : exactText(value, unit);
}

export interface MemoryBar {
  id: string;
  name: string;
  /** Null: not measured. */
  above: number | null;
  text: string;
  tip: string;
}

/** The weights, and what comes on top of them. */
export function memoryBars({ footprint_bytes }: Measurement): MemoryBar[] {
  const { weights, inference_peak, training_peak, computed } = footprint_bytes;
  const how = computed ? ', computed' : '';
  const peak = (id: string, name: string, value: number | null): MemoryBar => ({
    id,
    name,
    above: value,
    text: value === null ? 'not measured' : `+ ${shortText(value, 'B')}`,
    tip: value === null ? '' : `${exactText(value, 'B')} above the weights and inputs${how}`,
  });
  return [
    {
      id: 'weights',
      name: 'weights',
      above: 0,
      text: shortText(weights, 'B'),
      tip: exactText(weights, 'B'),
    },
    peak('inference-peak', 'inference', inference_peak),
    peak('training-peak', 'training', training_peak),
  ];
}

/** What was measured, in one line. */
export function subjectOf({ inputs, batch_size, training_mode }: Measurement): string {
  return [
    inputs,
    batch_size > 0 ? `batch of ${exact(batch_size)}` : '',
    training_mode ? 'training mode' : 'evaluation mode',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** How much the counts leave out, in a sentence; empty if nothing. */
export function uncountedText({ uncounted }: Measurement): string {
  if (uncounted.length === 0) return '';
  const shares = uncounted.flatMap(({ time_share }) => (time_share === null ? [] : [time_share]));
  const known = shares.reduce((sum, share) => sum + share, 0);
  const some =
    uncounted.length === 1 ? '1 operator is' : `${exact(uncounted.length)} operators are`;
  const share =
    shares.length === uncounted.length
      ? `: ${percent(known)} of the time`
      : shares.length > 0
        ? `: at least ${percent(known)} of the time`
        : `; ${uncounted.length === 1 ? 'its' : 'their'} share of the time is not known`;
  return `${some} not counted${share}`;
}
