import { setTimeout as wait } from 'node:timers/promises';

/** Against waiting for ever, no bar: a cold thread takes seconds on a busy machine. */
const defaultTimeoutMs = 20_000;
/** A tenth of the time waited: what lasts is not asked a hundred times a second. */
const pauseMs = { first: 10, last: 100, share: 0.1 };

/**
 * Polls until `holds` is true and resolves with that value. Throws after the timeout (default 20 s)
 * with the last value in the message.
 */
export async function eventually<T>(
  poll: () => Promise<T>,
  holds: (value: T) => boolean,
  timeoutMs = defaultTimeoutMs,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const value = await poll();
    if (holds(value)) return value;
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) {
      throw new Error(
        `The condition did not hold within ${timeoutMs} ms: ${JSON.stringify(value)}`,
      );
    }
    await wait(Math.min(pauseMs.last, Math.max(pauseMs.first, waitedMs * pauseMs.share)));
  }
}
