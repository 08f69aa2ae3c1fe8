const KEPT = 1000;
let measured = 0;

/** Runs `work` and leaves its duration as a performance measure; only the newest are kept. */
export function timed(name: string, work: () => void): void {
  const start = performance.now();
  work();
  if (measured++ % KEPT === 0) performance.clearMeasures(name);
  performance.measure(name, { start, end: performance.now() });
}
