import type { WireTimeline } from '../timeline/wire';
import type { EmbeddedTraining } from '../training/wire';
import type { Breakdown, Hello, MeasurementMessage, Source, State } from '../protocol';

/** What the server of a view would say first: it is in the page, so that nothing waits for it. */
export interface Greeting {
  hello: Hello;
  state: State;
}

/** A run that is in the page itself: `sightline report --html` has put it there. */
export interface EmbeddedRun extends Greeting {
  result: Breakdown | MeasurementMessage;
  sources: Source[];
  /** Null if the training was not supervised. */
  training: EmbeddedTraining | null;
  /** The last sampled step; pages of older versions have none. */
  timeline?: WireTimeline | null;
  /** Why there is none, for people. */
  timeline_why_not?: string;
}

let known: EmbeddedRun | null | undefined;

/** Null in a page that has a server. */
export function embeddedRun(): EmbeddedRun | null {
  if (known === undefined) known = embedded<EmbeddedRun>('sightline-run');
  return known;
}

/** Why the page cannot show the events of a step; empty if it can. */
export function whyNoTimeline(run: EmbeddedRun | null): string {
  if (!run || run.timeline) return '';
  return run.timeline_why_not || 'This page was saved without the events of a step.';
}

export function embeddedGreeting(): Greeting | null {
  return embedded<Greeting>('sightline-greeting');
}

function embedded<Content>(id: string): Content | null {
  const element = document.getElementById(id);
  return element && (JSON.parse(element.textContent) as Content);
}
