import { setTimeout as wait } from 'node:timers/promises';

/** Against waiting for ever, no bar: a cold thread takes seconds on a busy machine. */
const defaultTimeoutMs = 20_000;
const pauseMs = 10;

/**
 * Polls until `holds` is true and resolves with that value. Throws after the timeout (default 20 s)
 * with the last value in the message.
 */
export async function eventually<T>(
  poll: () => Promise<T>,
  holds: (value: T) => boolean,
  timeoutMs = defaultTimeoutMs,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await poll();
    if (holds(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(
        `The condition did not hold within ${timeoutMs} ms: ${JSON.stringify(value)}`,
      );
    }
    await wait(pauseMs);
  }
}
