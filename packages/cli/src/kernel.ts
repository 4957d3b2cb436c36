import { randomBytes } from 'node:crypto';

/** Resolves after `ms`. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Random characters for the name of a file beside another one. */
export const randomSuffix = (): string => randomBytes(6).toString('hex');

/** Milliseconds that never go back, for durations. */
export const monotonicMs = (): number => performance.now();
