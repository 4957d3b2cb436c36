import { isSingleUseBody } from './bodies.ts';
import { readError } from './errors.ts';
import {
  type PreparedRequest,
  type RawResponse,
  retryAfterSeconds,
  sendRequest,
  type TransportOptions,
} from './transport.ts';

const backoffMsMin = 200;
const backoffMsMax = 10_000;
/** Windows of a minute are waited for; a quota that comes back next month is told at once. */
const retryAfterSecondsMax = 60;

/** What may be sent again, and when. */
export interface RetryPolicy {
  /** A second effect is impossible: also when nobody knows whether the first one happened. */
  readonly afterConnectionLoss: boolean;
  /** It only reads: also after a 500, which would meet a write again. */
  readonly afterServerError: boolean;
  /** An answer of the route, whatever its status. */
  readonly isExpectedResponse: (answer: RawResponse) => boolean;
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
  prepared: PreparedRequest,
  rule: RetryPolicy,
): Promise<RawResponse> {
  const { signal, body } = prepared.request;
  const retries = isSingleUseBody(body) ? 0 : options.retries;
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= retries;
    const answer = await sendRequest(options, prepared).catch((error: unknown) => {
      if (last || !rule.afterConnectionLoss || signal?.aborted) throw error;
      return null;
    });
    if (answer) options.onResponse?.(answer, prepared.request);
    const askedSeconds = answer && retryAfterSeconds(answer);
    if (answer && (last || !shouldRetry(answer, rule))) return answer;
    if (answer && askedSeconds !== null && askedSeconds > retryAfterSecondsMax) return answer;
    await options.runtime.sleep(retryDelayMs(options, attempt, askedSeconds), signal);
  }
}

function shouldRetry(answer: RawResponse, rule: RetryPolicy): boolean {
  const { status } = answer;
  if (rule.isExpectedResponse(answer)) return false;
  if (status === 429 || status === 503 || isIdempotencyInProgress(answer)) return true;
  if (status === 500) return rule.afterServerError;
  return (status === 502 || status === 504) && rule.afterConnectionLoss;
}

/** An attempt before this one was given up here but still runs there; its outcome will come. */
const isIdempotencyInProgress = (answer: RawResponse): boolean =>
  answer.status === 409 && readError(answer).code === 'idempotency_in_progress';

/** `askedSeconds` is what Retry-After says. */
function retryDelayMs(
  { runtime }: TransportOptions,
  attempt: number,
  askedSeconds: number | null,
): number {
  if (askedSeconds !== null) return askedSeconds * 1_000;
  return backoffMs({ runtime }, attempt);
}

/** Doubles with each attempt, with full jitter. */
export const backoffMs = (
  { runtime }: Pick<TransportOptions, 'runtime'>,
  attempt: number,
): number => runtime.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** attempt);
