import { randomBytes } from 'node:crypto';

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Random characters for the name of a temporary file. */
export const randomSuffix = (): string => randomBytes(6).toString('hex');

/** Milliseconds of a monotonic clock, for durations. */
export const monotonicMs = (): number => performance.now();
