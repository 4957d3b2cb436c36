import { randomBytes } from 'node:crypto';

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Random characters for the name of a temporary file. */
export const randomSuffix = (): string => randomBytes(6).toString('hex');

/** Milliseconds of a monotonic clock, for durations. */
export const monotonicMs = (): number => performance.now();

export const systemNow = (): Date => new Date();

/**
 * Calls `run` after `firstMs` and then every `intervalMs`, without keeping the process running.
 * Returns a function that stops it.
 */
export function repeatAfter(firstMs: number, intervalMs: number, run: () => void): () => void {
  let interval: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    run();
    interval = setInterval(run, intervalMs).unref();
  }, firstMs).unref();
  return () => {
    clearTimeout(timer);
    clearInterval(interval);
  };
}
