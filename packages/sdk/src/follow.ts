import { type PublicEvent, routes } from '@mneme/contract';
import { MnemeError } from './errors.ts';
import { backoffMs } from './retry.ts';
import { prepareRequest, type TransportOptions } from './transport.ts';

export interface FollowOptions {
  readonly type?: PublicEvent['type'];
  /** Goes on after this place; without one it begins now. */
  readonly cursor?: string;
  /** Ends the following. */
  readonly signal?: AbortSignal;
}

export interface FollowedEvent {
  readonly event: PublicEvent;
  /** Keep it when the event is dealt with: a later follow goes on after it. */
  readonly cursor: string;
}

/** Three heartbeats have not come: what is between here and the service has let go of it. */
const silenceTimeoutMs = 45_000;
const retryMsMin = 1_000;

/** Where a follower stands, over all its connections. */
interface FollowState {
  cursor: string | undefined;
  /** How long the service asks to wait before coming back. */
  retryMs: number;
  hasConnected: boolean;
}

/**
 * Events as they happen, each once and in order of commit, over as many connections as it takes.
 * Ends with the signal alone. Throws MnemeError for what coming back does not mend (400, 401, 403),
 * and, until it was connected once, what the last of the client's attempts threw.
 */
export async function* follow(
  options: TransportOptions,
  { type, cursor, signal }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void> {
  const place: FollowState = { cursor, retryMs: 0, hasConnected: false };
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    const hangUp = new AbortController();
    const whole = signal ? AbortSignal.any([signal, hangUp.signal]) : hangUp.signal;
    let waitMs = backoffMs(options, attempt);
    try {
      const response = await connect(options, { type, cursor: place.cursor }, whole);
      place.hasConnected = true;
      attempt = -1;
      yield* readEvents(options, response, place, whole);
      // It ended as it should, and so did others: not all come back at the same time.
      waitMs = Math.max(place.retryMs, retryMsMin) * (0.5 + options.runtime.random() / 2);
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof MnemeError && !isTransient(error)) throw error;
      if (!place.hasConnected && attempt >= options.retries) throw error;
      const asked = error instanceof MnemeError ? error.retryAfterSeconds : null;
      if (asked !== null) waitMs = asked * 1_000;
    } finally {
      hangUp.abort();
    }
    await options.runtime.sleep(waitMs, signal).catch(() => undefined);
  }
}

const isTransient = ({ status }: MnemeError): boolean => status === 429 || status >= 500;

async function connect(
  options: TransportOptions,
  query: { type: PublicEvent['type'] | undefined; cursor: string | undefined },
  signal: AbortSignal,
): Promise<Response> {
  const { path, method } = routes.operations.eventStream;
  const headers = { accept: 'text/event-stream' };
  const { url, init } = prepareRequest(options, { method, path, query, headers });
  const { fetch } = options.runtime;
  const response = await withTimeout(options, options.timeoutMs, fetch(url, { ...init, signal }));
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (response.status === 200 && isStream && response.body) return response;
  const text = await withTimeout(options, options.timeoutMs, response.text());
  throw new MnemeError({
    status: response.status,
    headers: response.headers,
    body: parseJsonOrText(text),
  });
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function* readEvents(
  options: TransportOptions,
  response: Response,
  place: FollowState,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent, void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!signal.aborted) {
    const { done, value } = await withTimeout(options, silenceTimeoutMs, reader.read());
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = parseSseFields(message);
      place.retryMs = Number(fields.retry ?? place.retryMs);
      place.cursor = fields.id ?? place.cursor;
      if (fields.data === undefined || place.cursor === undefined) continue;
      yield { event: JSON.parse(fields.data) as PublicEvent, cursor: place.cursor };
    }
  }
}

/** The service writes one line for each field; a comment has no name. */
const parseSseFields = (message: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    message.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );

/** Rejects with a TimeoutError where `wanted` is not there in time. */
async function withTimeout<T>(
  { runtime }: TransportOptions,
  ms: number,
  wanted: Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const late = runtime.sleep(ms, over.signal).then(() => {
    throw new DOMException('The service is silent.', 'TimeoutError');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([wanted, late]);
  } finally {
    over.abort();
  }
}
