import { MnemeError } from './errors.ts';
import { eventsStream } from './generated/operations.ts';
import type { EventsStreamInput, EventsStreamResult } from './generated/types.ts';
import { assertKnownNames } from './options.ts';
import { backoffMs } from './retry.ts';
import { prepareRequest, type TransportOptions } from './transport.ts';

/**
 * Filters, and the `cursor` to continue after; default: only new events. With an owner: only events
 * all of whose memories have it.
 */
export type FollowOptions = Readonly<NonNullable<EventsStreamInput['query']>> & {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with each position of the stream after the events up to it were handled: at the start
   * and in silences, too, when no event has one. A later `follow` continues after it.
   */
  readonly onCursor?: ((cursor: string) => void) | undefined;
};

/** What selects events of the stream. */
type StreamQuery = Omit<FollowOptions, 'signal' | 'onCursor'>;

const followOptionNames: readonly (keyof FollowOptions)[] = [
  'type',
  'user_id',
  'agent_id',
  'run_id',
  'cursor',
  'signal',
  'onCursor',
];

export interface FollowedEvent {
  readonly event: EventsStreamResult;
  /** Store it after handling the event: a later `follow` continues after it. */
  readonly cursor: string;
}

/** Three missed heartbeats: the connection is considered lost. */
const silenceTimeoutMs = 45_000;
const retryMsMin = 1_000;

/** Position of a follower, over all its connections. */
interface FollowState {
  cursor: string | undefined;
  readonly onCursor: FollowOptions['onCursor'];
  /** Delay before reconnecting that the service requested, in ms. */
  retryMs: number;
  hasConnected: boolean;
}

/**
 * Iterates over new events, each once and in order of commit; reconnects as often as needed. Ends
 * only through the signal. Throws MnemeError for errors that a retry cannot fix (400, 401, 403),
 * and, before the first successful connection, the error of the last attempt.
 */
export function followEvents(
  options: TransportOptions,
  followOptions: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void> {
  assertKnownNames('follow', followOptions, followOptionNames);
  return readReconnecting(options, followOptions);
}

async function* readReconnecting(
  options: TransportOptions,
  followOptions: FollowOptions,
): AsyncGenerator<FollowedEvent, void> {
  const { cursor, signal, onCursor, ...filter } = followOptions;
  const state: FollowState = { cursor, onCursor, retryMs: 0, hasConnected: false };
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    const connectionAbort = new AbortController();
    const combinedSignal = signal
      ? AbortSignal.any([signal, connectionAbort.signal])
      : connectionAbort.signal;
    let waitMs = backoffMs(options, attempt);
    try {
      const response = await connect(options, { ...filter, cursor: state.cursor }, combinedSignal);
      state.hasConnected = true;
      attempt = -1;
      yield* readEvents(options, response, state, combinedSignal);
      // The service ends streams regularly, for many clients: jitter spreads the reconnects.
      waitMs = Math.max(state.retryMs, retryMsMin) * (0.5 + options.runtime.random() / 2);
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof MnemeError && !isTransient(error)) throw error;
      if (!state.hasConnected && attempt >= options.retries) throw error;
      const retryAfter = error instanceof MnemeError ? error.retryAfterSeconds : null;
      if (retryAfter !== null) waitMs = retryAfter * 1_000;
    } finally {
      connectionAbort.abort();
    }
    await options.runtime.sleep(waitMs, signal).catch(() => undefined);
  }
}

const isTransient = ({ status }: MnemeError): boolean => status === 429 || status >= 500;

async function connect(
  options: TransportOptions,
  query: StreamQuery,
  signal: AbortSignal,
): Promise<Response> {
  const { path, method } = eventsStream;
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
  state: FollowState,
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
      state.retryMs = Number(fields.retry ?? state.retryMs);
      state.cursor = fields.id ?? state.cursor;
      if (fields.data !== undefined && state.cursor !== undefined) {
        yield { event: JSON.parse(fields.data) as EventsStreamResult, cursor: state.cursor };
      }
      if (fields.id !== undefined) state.onCursor?.(fields.id);
    }
  }
}

/** Parses one SSE message. The service writes each field on one line; a comment has no name. */
const parseSseFields = (message: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    message.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );

/** Rejects with a TimeoutError if `promise` does not settle within `ms`. */
async function withTimeout<T>(
  { runtime }: TransportOptions,
  ms: number,
  promise: Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const timeout = runtime.sleep(ms, timer.signal).then(() => {
    throw new DOMException('The service sent nothing in time.', 'TimeoutError');
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
  }
}
