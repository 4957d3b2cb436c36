import { bodyByteLength, isStreamableBody, uploadTimeoutMs } from './bodies.ts';
import { type ClientRuntime, createDeadline } from './kernel.ts';
import { buildUrl, type RequestTarget } from './url.ts';

export interface RawRequest extends RequestTarget {
  /** The operationId, for hooks. */
  readonly operation?: string | undefined;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** An object is sent as JSON; a string, bytes, a Blob, a form or a stream unchanged. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Timeout in ms; overrides that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Leaves the body of a success unread, as the `Response` of fetch. */
  readonly unread?: boolean;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, text for other text types, else bytes; undefined for an empty body. */
  readonly body: unknown;
}

/** One attempt of a request, for hooks. */
export interface RequestAttempt {
  /** The operationId, such as `memories.create`; undefined for `client.request`. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly url: string;
  /** Headers of this attempt; `onRequest` can set further ones, such as traceparent. */
  readonly headers: Headers;
  /** 0 for the first attempt of a call, 1 for its first retry. */
  readonly attempt: number;
}

export type EndedAttempt = RequestAttempt & { readonly durationMs: number };

/** For traces and metrics: called for every attempt, including those that are retried. */
export interface RequestHooks {
  readonly onRequest?: ((attempt: RequestAttempt) => void) | undefined;
  readonly onResponse?: ((response: RawResponse, attempt: EndedAttempt) => void) | undefined;
  /** The attempt has no response: the connection failed, it took too long, or it was aborted. */
  readonly onFailure?: ((error: unknown, attempt: EndedAttempt) => void) | undefined;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly hooks: RequestHooks;
  readonly runtime: ClientRuntime;
}

/** A request that can be sent repeatedly. */
export interface PreparedRequest {
  readonly request: RawRequest;
  readonly url: string;
  readonly init: RequestInit;
}

/**
 * Builds the URL, headers and body of a request. Throws a TypeError for invalid headers, JSON or
 * URLs, before anything is sent.
 */
export function prepareRequest(options: TransportOptions, request: RawRequest): PreparedRequest {
  const url = buildUrl(options.baseUrl, request);
  const headers = new Headers();
  // Sends the key only to its own service, even if `path` is a URL of another host.
  if (options.apiKey !== undefined && new URL(url).origin === new URL(options.baseUrl).origin) {
    headers.set('authorization', `Bearer ${options.apiKey}`);
  }
  const { method, body } = request;
  const streamed = isStreamableBody(body);
  if (body !== undefined && !streamed) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value !== undefined) headers.set(name, value);
  }
  if (body === undefined) return { request, url, init: { method, headers } };
  // Without these options Node keeps a copy of the whole body, for a redirect.
  const streamOptions = { duplex: 'half', redirect: 'error', window: null } as const;
  if (streamed) return { request, url, init: { method, headers, body, ...streamOptions } };
  const isEncoded = typeof body === 'string' || body instanceof Uint8Array;
  const encoded = isEncoded ? (body as string) : JSON.stringify(body);
  return { request, url, init: { method, headers, body: encoded } };
}

/** The outcome of one attempt: no status is an error here. */
export type AttemptOutcome = { readonly response: RawResponse } | { readonly error: unknown };

/**
 * Sends one request. Rejects with a TypeError if the connection fails, with a TimeoutError if the
 * response is late, and with the reason of the signal on abort. The timeout grows by one second for
 * each 64 KiB of the body; a stream has none.
 */
export async function sendRequest(
  options: TransportOptions,
  prepared: PreparedRequest,
): Promise<RawResponse> {
  const outcome = await sendAttempt(options, prepared, 0);
  if ('error' in outcome) throw outcome.error;
  return outcome.response;
}

/**
 * Like `sendRequest`, but returns its failure; rejects only with what a hook throws.
 *
 * @param attempt number of earlier attempts of the same call
 */
export async function sendAttempt(
  options: TransportOptions,
  { request, url, init }: PreparedRequest,
  attempt: number,
): Promise<AttemptOutcome> {
  const { hooks } = options;
  const headers = new Headers(init.headers);
  const { operation, method } = request;
  const attempted: RequestAttempt = { operation, method, url, headers, attempt };
  hooks.onRequest?.(attempted);
  const start = performance.now();
  const outcome = await fetchResponse(options, request, url, { ...init, headers }).then(
    (response): AttemptOutcome => ({ response }),
    (error: unknown): AttemptOutcome => ({ error }),
  );
  const ended: EndedAttempt = { ...attempted, durationMs: performance.now() - start };
  if ('error' in outcome) hooks.onFailure?.(outcome.error, ended);
  else hooks.onResponse?.(outcome.response, ended);
  return outcome;
}

async function fetchResponse(
  { timeoutMs, runtime }: TransportOptions,
  request: RawRequest,
  url: string,
  init: RequestInit,
): Promise<RawResponse> {
  const timeout = createDeadline(
    (request.timeoutMs ?? timeoutMs) + uploadTimeoutMs(bodyByteLength(init.body)),
  );
  const signal = request.signal
    ? AbortSignal.any([request.signal, timeout.signal])
    : timeout.signal;
  try {
    const response = await runtime.fetch(url, { ...init, signal });
    const { status, headers } = response;
    const isUnread = request.unread && (response.ok || status === 304);
    return { status, headers, body: isUnread ? response : await readBody(response) };
  } finally {
    timeout.clear();
  }
}

async function readBody(response: Response): Promise<unknown> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === 0) return undefined;
  const type = response.headers.get('content-type') ?? 'text/plain';
  if (!/^text\/|[/+](?:json|xml)/.test(type)) return bytes;
  const text = new TextDecoder().decode(bytes);
  if (!/[/+]json/.test(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy wrote the response; the caller receives its text.
    return text;
  }
}

/**
 * Retry-After in seconds; null if missing or unreadable. A date is compared to the Date header of
 * the response, so that the clocks of both sides need not agree.
 */
export function retryAfterSeconds({ headers }: RawResponse): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const waitMs = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.ceil(waitMs / 1_000));
}
