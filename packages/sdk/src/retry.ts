import { isSingleUseBody } from './bodies.ts';
import { parseErrorResponse } from './errors.ts';
import {
  type PreparedRequest,
  type RawResponse,
  retryAfterSeconds,
  sendAttempt,
  type TransportOptions,
} from './transport.ts';

const backoffMsMin = 200;
const backoffMsMax = 10_000;
/** Waits for rate limit windows of a minute; returns a monthly quota error immediately. */
const retryAfterSecondsMax = 60;

/** Which failures of a request can be retried. */
export interface RetryPolicy {
  /** The request is idempotent: retry even if it may have taken effect. */
  readonly afterConnectionLoss: boolean;
  /** The request only reads: retry after a 500, which a write would likely repeat. */
  readonly afterServerError: boolean;
  /** Whether the route declares the response, whatever its status. */
  readonly isExpectedResponse: (response: RawResponse) => boolean;
}

/**
 * Sends a request, with retries. Retries 429 and 503 always, because they precede any effect; a
 * lost connection, a timeout, 408 (also sent to a connection that was opened and not used for
 * long), 502 and 504 if the policy has `afterConnectionLoss`; 500 if it has `afterServerError`.
 * Delays double from 200 ms to 10 s with full jitter (Brooker, "Exponential Backoff And Jitter",
 * 2015), or follow Retry-After up to 60 s. A stream is sent once. Rejects like `sendRequest` if the
 * last attempt has no response.
 */
export async function sendWithRetry(
  options: TransportOptions,
  prepared: PreparedRequest,
  policy: RetryPolicy,
): Promise<RawResponse> {
  const { signal, body } = prepared.request;
  const retries = isSingleUseBody(body) ? 0 : options.retries;
  for (let attempt = 0; ; attempt += 1) {
    const isLastAttempt = attempt >= retries;
    const outcome = await sendAttempt(options, prepared, attempt);
    if ('error' in outcome && (isLastAttempt || !policy.afterConnectionLoss || signal?.aborted)) {
      throw outcome.error;
    }
    const response = 'error' in outcome ? null : outcome.response;
    const delaySeconds = response && retryAfterSeconds(response);
    if (response && (isLastAttempt || !shouldRetry(response, policy))) return response;
    if (response && delaySeconds !== null && delaySeconds > retryAfterSecondsMax) return response;
    await options.runtime.sleep(retryDelayMs(options, attempt, delaySeconds), signal);
  }
}

function shouldRetry(response: RawResponse, policy: RetryPolicy): boolean {
  const { status } = response;
  if (policy.isExpectedResponse(response)) return false;
  if (status === 429 || status === 503 || isIdempotencyInProgress(response)) return true;
  if (status === 500) return policy.afterServerError;
  return [408, 502, 504].includes(status) && policy.afterConnectionLoss;
}

/**
 * An earlier attempt timed out here but still runs on the service; its outcome will be replayed.
 */
const isIdempotencyInProgress = (response: RawResponse): boolean =>
  response.status === 409 && parseErrorResponse(response).code === 'idempotency_in_progress';

/** `delaySeconds` is the value of Retry-After. */
function retryDelayMs(
  { runtime }: TransportOptions,
  attempt: number,
  delaySeconds: number | null,
): number {
  if (delaySeconds !== null) return delaySeconds * 1_000;
  return backoffMs({ runtime }, attempt);
}

/** Delay before a retry in ms: doubles with each attempt, with full jitter. */
export const backoffMs = (
  { runtime }: Pick<TransportOptions, 'runtime'>,
  attempt: number,
): number => runtime.random() * Math.min(backoffMsMax, backoffMsMin * 2 ** attempt);
