const FIRST_MS = 200;
const LONGEST_MS = 5000;

/** How long to wait before the attempt after `failed` failed ones. */
export function backoff(failed: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failed - 1));
}
