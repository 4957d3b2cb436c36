import { setTimeout as wait } from 'node:timers/promises';

const defaultTimeoutMs = 5_000;
const pauseMs = 10;

/**
 * For what happens after the answer: asks until `holds` is true, and resolves with that answer.
 * Throws after 5 s, or what is said, with the last answer in the message.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  holds: (answer: T) => boolean,
  patienceMs = defaultTimeoutMs,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > until) {
      throw new Error(`It did not happen within ${patienceMs} ms: ${JSON.stringify(answer)}`);
    }
    await wait(pauseMs);
  }
}
