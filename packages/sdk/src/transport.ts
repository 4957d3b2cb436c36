import type { Surroundings } from './kernel.ts';

export interface RawRequest {
  readonly method: string;
  /** Below /v1 when it begins with a slash, or a whole URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An object is sent as JSON, a string or bytes as they are. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where the answer is JSON, else its text; undefined where it is empty. */
  readonly body: unknown;
}

export interface TransportOptions {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly surroundings: Surroundings;
}

const firstWaitMs = 200;
const longestWaitMs = 10_000;

/** One exchange; no status is an error here. Rejects when there is no answer in time. */
export async function exchange(options: TransportOptions, request: RawRequest): Promise<RawAnswer> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  const isText = typeof request.body === 'string' || request.body instanceof Uint8Array;
  const response = await options.surroundings.fetch(urlOf(options.url, request), {
    method: request.method,
    signal,
    headers: {
      ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body === undefined
      ? {}
      : { body: isText ? (request.body as string) : JSON.stringify(request.body) }),
  });
  return { status: response.status, headers: response.headers, body: await read(response) };
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  const type = response.headers.get('content-type') ?? '';
  return /[/+]json/.test(type) ? (JSON.parse(text) as unknown) : text;
}

/** Lists go comma-separated; what is undefined is left out. */
export function urlOf(base: string, { path, query }: Pick<RawRequest, 'path' | 'query'>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const whole = path.startsWith('/') ? `${base.replace(/\/+$/, '')}/v1${path}` : path;
  return parameters.size > 0 ? `${whole}?${parameters}` : whole;
}

/** Retry-After in seconds, null where it is missing or a date. */
export function retryAfterSeconds({ headers }: RawAnswer): number | null {
  const value = headers.get('retry-after');
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** What may be sent again without a second effect, and what its failure must look like. */
export interface RetryRule {
  /** Also after an answer was lost, when nobody knows whether it took effect. */
  readonly afterLoss: boolean;
}

/**
 * Sends until there is an answer that is worth showing: lost connections and 5xx are tried again
 * where that is safe, 429 and 503 always, since they had no effect. Waits grow with full jitter;
 * Retry-After is honoured.
 */
export async function exchangeWithRetry(
  options: TransportOptions,
  request: RawRequest,
  rule: RetryRule,
): Promise<RawAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= options.retries;
    let answer: RawAnswer | undefined;
    try {
      answer = await exchange(options, request);
      if (last || !isWorthRetrying(answer.status, rule)) return answer;
    } catch (error) {
      if (last || !rule.afterLoss || request.signal?.aborted) throw error;
    }
    await options.surroundings.sleep(waitMs(options, attempt, answer), request.signal);
  }
}

function isWorthRetrying(status: number, { afterLoss }: RetryRule): boolean {
  if (status === 429 || status === 503) return true;
  return afterLoss && (status === 500 || status === 502 || status === 504);
}

function waitMs(
  { surroundings }: TransportOptions,
  attempt: number,
  answer: RawAnswer | undefined,
): number {
  const asked = answer && retryAfterSeconds(answer);
  if (asked !== undefined && asked !== null) return asked * 1_000;
  return surroundings.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
}
