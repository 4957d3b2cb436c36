import { isReadOnce } from './bodies.ts';
import { readError } from './errors.ts';
import {
  type Prepared,
  type RawAnswer,
  retryAfterSeconds,
  send,
  type TransportOptions,
} from './transport.ts';

const firstWaitMs = 200;
const longestWaitMs = 10_000;
/** Windows of a minute are waited for; a quota that comes back next month is told at once. */
const longestAskedSeconds = 60;

/** What may be sent again, and when. */
export interface RetryRule {
  /** A second effect is impossible: also when nobody knows whether the first one happened. */
  readonly afterLoss: boolean;
  /** It only reads: also after a 500, which would meet a write again. */
  readonly afterFault: boolean;
  /** An answer of the route, whatever its status. */
  readonly isAnswer: (answer: RawAnswer) => boolean;
}

/**
 * Sends until there is an answer worth showing. Tried again: 429 and 503 always, as they are said
 * before any effect; a lost connection, a timeout, 502 and 504 where the rule allows `afterLoss`;
 * 500 where it allows `afterFault`. Waits double from 200 ms to 10 s with full jitter
 * (Brooker, "Exponential Backoff And Jitter", 2015), or are what Retry-After says, up to 60 s.
 * A stream is sent once. Rejects like `send` when the last attempt had no answer.
 */
export async function sendWithRetry(
  options: TransportOptions,
  prepared: Prepared,
  rule: RetryRule,
): Promise<RawAnswer> {
  const { signal, body } = prepared.request;
  const retries = isReadOnce(body) ? 0 : options.retries;
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= retries;
    const answer = await send(options, prepared).catch((error: unknown) => {
      if (last || !rule.afterLoss || signal?.aborted) throw error;
      return null;
    });
    if (answer) options.onResponse?.(answer, prepared.request);
    const askedSeconds = answer && retryAfterSeconds(answer);
    if (answer && (last || !isWorthRetrying(answer, rule))) return answer;
    if (answer && askedSeconds !== null && askedSeconds > longestAskedSeconds) return answer;
    await options.surroundings.sleep(waitMs(options, attempt, askedSeconds), signal);
  }
}

function isWorthRetrying(answer: RawAnswer, rule: RetryRule): boolean {
  const { status } = answer;
  if (rule.isAnswer(answer)) return false;
  if (status === 429 || status === 503 || isStillRunning(answer)) return true;
  if (status === 500) return rule.afterFault;
  return (status === 502 || status === 504) && rule.afterLoss;
}

/** An attempt before this one was given up here but still runs there; its outcome will come. */
const isStillRunning = (answer: RawAnswer): boolean =>
  answer.status === 409 && readError(answer).code === 'idempotency_in_progress';

/** `askedSeconds` is what Retry-After says. */
function waitMs(
  { surroundings }: TransportOptions,
  attempt: number,
  askedSeconds: number | null,
): number {
  if (askedSeconds !== null) return askedSeconds * 1_000;
  return backoffMs({ surroundings }, attempt);
}

/** Doubles with each attempt, with full jitter. */
export const backoffMs = (
  { surroundings }: Pick<TransportOptions, 'surroundings'>,
  attempt: number,
): number => surroundings.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
