import { bodyByteLength, estimatedUploadMs, isStreamableBody } from './bodies.ts';
import { deadline, type Runtime } from './kernel.ts';
import { buildUrl, type RequestTarget } from './url.ts';

export interface RawRequest extends RequestTarget {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An object is sent as JSON; a string, bytes, a Blob, a form or a stream as they are. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's own. */
  readonly timeoutMs?: number | undefined;
  /** The body of a success is left to read: fetch's own Response. */
  readonly unread?: boolean;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * Parsed where the answer is JSON, else its text, or its bytes where it is none; undefined where
   * it is empty.
   */
  readonly body: unknown;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly onResponse: ((answer: RawResponse, request: RawRequest) => void) | undefined;
  readonly runtime: Runtime;
}

/** A request that can be sent any number of times. */
export interface PreparedRequest {
  readonly request: RawRequest;
  readonly url: string;
  readonly init: RequestInit;
}

/** Everything that can be wrong before anything is sent throws here: headers, JSON, URL. */
export function prepareRequest(options: TransportOptions, request: RawRequest): PreparedRequest {
  const url = buildUrl(options.baseUrl, request);
  const headers = new Headers();
  // The key goes to its own service only, also where a whole URL names another one.
  if (options.apiKey !== undefined && new URL(url).origin === new URL(options.baseUrl).origin) {
    headers.set('authorization', `Bearer ${options.apiKey}`);
  }
  const { method, body } = request;
  const streamed = isStreamableBody(body);
  if (body !== undefined && !streamed) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
  if (body === undefined) return { request, url, init: { method, headers } };
  // Else Node keeps a copy of all that was sent, for a redirect or another window.
  const uncopied = { duplex: 'half', redirect: 'error', window: null } as const;
  if (streamed) return { request, url, init: { method, headers, body, ...uncopied } };
  const isReady = typeof body === 'string' || body instanceof Uint8Array;
  const ready = isReady ? (body as string) : JSON.stringify(body);
  return { request, url, init: { method, headers, body: ready } };
}

/**
 * One exchange; no status is an error here. Rejects with a TypeError when the connection fails,
 * with a TimeoutError when the answer is not there in time, with the signal's reason on abort. What
 * is sent has a second more for each 64 KiB, a stream as long as it takes.
 */
export async function sendRequest(
  options: TransportOptions,
  prepared: PreparedRequest,
): Promise<RawResponse> {
  const { request, url, init } = prepared;
  const patienceMs =
    (request.timeoutMs ?? options.timeoutMs) + estimatedUploadMs(bodyByteLength(init.body));
  const patience = deadline(patienceMs);
  const signal = request.signal
    ? AbortSignal.any([request.signal, patience.signal])
    : patience.signal;
  try {
    const response = await options.runtime.fetch(url, { ...init, signal });
    const { status, headers } = response;
    const isUnread = request.unread && (response.ok || status === 304);
    return { status, headers, body: isUnread ? response : await readBody(response) };
  } finally {
    patience.clear();
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
    // Something between here and the service wrote it; the caller sees what it was.
    return text;
  }
}

/**
 * Retry-After in seconds, null where it is missing or unreadable. A date is measured from the
 * answer's own Date, so that the clocks of both sides need not agree.
 */
export function retryAfterSeconds({ headers }: RawResponse): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const waitMs = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.ceil(waitMs / 1_000));
}
