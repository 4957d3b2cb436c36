/** What a client takes from its surroundings; a test puts its own in. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly uuid: () => string;
}

export const surroundings: Surroundings = {
  fetch: (...args) => globalThis.fetch(...args),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};
