import type { Breakdown, Source } from '../protocol';

export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Addresses are relative to the page, which may stand behind a prefix. */
function address(path: string, query: Record<string, string | number | null> = {}): URL {
  const url = new URL(path, document.baseURI);
  for (const [key, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(key, String(value));
  }
  return url;
}

async function get<Answer>(url: URL): Promise<Answer> {
  const response = await fetch(url, { cache: 'no-store' });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as Answer;
  const text = (body as { error?: { text?: string } } | null)?.error?.text;
  throw new RequestFailed(response.status, text ?? `the server answered ${response.status}`);
}

export function getFiles(run: number | null): Promise<{ files: string[] }> {
  return get(address('api/files', { run }));
}

export function getSource(path: string, run: number | null): Promise<Source> {
  return get(address('api/source', { path, run }));
}

export function getResult(run: number): Promise<Breakdown> {
  return get(address('api/result', { run }));
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
