/** Resolves after `ms`. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Milliseconds that never go back, for durations. */
export const monotonicMs = (): number => performance.now();
