import { expect, test } from 'vitest';
import type { WireTimeline } from '../timeline/wire';
import { whyNoTimeline, type EmbeddedRun } from './embedded';

test('a saved page says why it has no timeline', () => {
  const saved = (over: Partial<EmbeddedRun>) => over as EmbeddedRun;
  expect(whyNoTimeline(null)).toBe('');
  expect(whyNoTimeline(saved({ timeline: { step: 5 } as WireTimeline }))).toBe('');
  const why = 'This run has no sampled steps.';
  expect(whyNoTimeline(saved({ timeline: null, timeline_why_not: why }))).toBe(why);
  expect(whyNoTimeline(saved({}))).toContain('without the events of a step');
});
