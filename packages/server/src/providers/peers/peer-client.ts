import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Clock } from '../../kernel/clock.ts';

interface PeerRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborts the request; `post` then rejects with its reason. */
  readonly signal: AbortSignal | undefined;
}

interface PeerResponse {
  readonly status: number;
  readonly body: Buffer;
}

/** Sends requests to other processes of the same database. */
export interface PeerClient extends Disposable {
  /** Rejects with PeerFailed, or with the reason of the signal. */
  post(request: PeerRequest): Promise<PeerResponse>;
}

/** The other process did not respond in time, or not at all. */
export class PeerFailed extends Error {
  override readonly name = 'PeerFailed';
}

interface PeerClientLimits {
  /** Up to the first byte of the response. */
  readonly responseMs: number;
  /** Between two parts of the response. */
  readonly idleMs: number;
  readonly responseBytesMax: number;
}

/** Less than servers keep idle connections open. */
const keptMs = 30_000;
const keptPerPeerMax = 16;

/**
 * Unlike the calls to addresses of tenants, private addresses are allowed: URLs of peers come from
 * the database alone. Redirects are not followed, and connections are reused.
 */
export function createPeerClient(clock: Clock, limits: PeerClientLimits): PeerClient {
  const options = { keepAlive: true, timeout: keptMs, maxFreeSockets: keptPerPeerMax } as const;
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    post: (request) => post(clock, limits, agents, request),
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

async function post(
  clock: Clock,
  limits: PeerClientLimits,
  agents: Agents,
  { url, headers, body, signal }: PeerRequest,
): Promise<PeerResponse> {
  const isSecure = url.protocol === 'https:';
  const timeout = new Timeout(clock);
  const outgoing = (isSecure ? https : http).request(url, {
    agent: isSecure ? agents.https : agents.http,
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    signal,
  });
  try {
    timeout.restart(limits.responseMs, () => outgoing.destroy(new PeerFailed('no response')));
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    const content = await readAll(incoming, limits, timeout);
    return { status: incoming.statusCode ?? 0, body: content };
  } catch (error) {
    outgoing.destroy();
    signal?.throwIfAborted();
    if (error instanceof PeerFailed) throw error;
    throw new PeerFailed(messageOf(error), { cause: error });
  } finally {
    timeout[Symbol.dispose]();
  }
}

async function readAll(
  incoming: IncomingMessage,
  { idleMs, responseBytesMax }: PeerClientLimits,
  timeout: Timeout,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const restart = () =>
    timeout.restart(idleMs, () => incoming.destroy(new PeerFailed('the response has stopped')));
  restart();
  for await (const part of incoming as AsyncIterable<Buffer>) {
    restart();
    bytes += part.length;
    if (bytes > responseBytesMax) throw new PeerFailed('the response is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A timer that starts again with each part of a response. */
class Timeout implements Disposable {
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  restart(ms: number, onTimeout: () => void): void {
    this[Symbol.dispose]();
    this.#timer = this.#clock.after(ms, onTimeout);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
