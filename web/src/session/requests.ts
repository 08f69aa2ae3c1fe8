import type { MeasurementComparison } from '../measurement/comparison';
import type { Breakdown, MeasurementMessage, Source } from '../protocol';
import type { Comparison, RunId } from '../runs/comparison';
import { embeddedRun, whyNoTimeline } from './embedded';
import type { WireTimeline } from '../timeline/wire';

export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Addresses are relative to the page, which may stand behind a prefix. */
export function address(path: string, query: Record<string, string | number | null> = {}): URL {
  const url = new URL(path, document.baseURI);
  for (const [key, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(key, String(value));
  }
  return url;
}

export async function get<Answer>(url: URL): Promise<Answer> {
  const response = await fetch(url);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as Answer;
  const text = (body as { error?: { text?: string } } | null)?.error?.text;
  throw new RequestFailed(response.status, text ?? `the server answered ${response.status}`);
}

export async function getFiles(run: number | null): Promise<{ files: string[] }> {
  const embedded = embeddedRun();
  if (embedded) return { files: embedded.sources.map((source) => source.path) };
  return get(address('api/files', { run }));
}

export async function getSource(path: string, run: number | null): Promise<Source> {
  const embedded = embeddedRun();
  if (!embedded) return get(address('api/source', { path, run }));
  const kept = embedded.sources.find((source) => source.path === path);
  if (!kept) throw new RequestFailed(404, 'the run has not kept this file');
  return kept;
}

export async function getResult(run: number): Promise<Breakdown | MeasurementMessage> {
  return embeddedRun()?.result ?? get(address('api/result', { run }));
}

export function getComparison(before: RunId, after: RunId): Promise<Comparison> {
  return get(address('api/compare', { before, after }));
}

export function getMeasurementComparison(
  before: number,
  after: number,
): Promise<MeasurementComparison> {
  return get(address('api/compare', { before, after }));
}

/** Without a step the last that was sampled, which is the only one that a saved page has. */
export async function getTimeline(run: number | null, step: number | null): Promise<WireTimeline> {
  const embedded = embeddedRun();
  if (!embedded) return get(address('api/timeline', { run, step }));
  if (embedded.timeline) return embedded.timeline;
  throw new RequestFailed(404, whyNoTimeline(embedded));
}

/** Whether the server is there but does not know us. */
export async function isUnauthorised(): Promise<boolean> {
  try {
    const { status } = await fetch(address('api/session'), { cache: 'no-store' });
    return status === 401 || status === 403;
  } catch {
    return false;
  }
}

export function liveAddress(): string {
  const url = address('api/live');
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
