import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type createAgents, createPinnedLookup, type PinnedConnectionOptions } from './agents.ts';
import type { EgressTarget } from './egress-target.ts';
import {
  EgressDenied,
  EgressFailed,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound-fetch.ts';

const headerBytesMax = 16 * 1_024;
const headersMax = 100;
/** Maximum number of interim responses, such as 103 Early Hints. */
const interimResponsesMax = 8;
/** Maximum number of consecutive kept connections that the other side has closed. */
const staleMax = 3;
/** Timeout per address; the last address can use all of the remaining time. */
const connectMs = 1_000;

/** Hop-by-hop or framing headers that a tenant must not set. */
const reservedHeaders = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
];

export const isReservedHeader = (name: string): boolean =>
  reservedHeaders.includes(name.toLowerCase()) || /^proxy-/i.test(name);

type ResponseContent = Omit<OutboundResponse, 'timeMs'>;

export interface PinnedRequest {
  readonly agents: ReturnType<typeof createAgents>;
  readonly target: EgressTarget;
  /** The checked addresses. */
  readonly addresses: readonly string[];
  readonly request: OutboundRequest;
  /** Cancels the exchange at any point. */
  readonly signal: AbortSignal;
}

/** Throws EgressDenied if a header cannot be sent. */
export function assertHeadersAllowed(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isReservedHeader(name)) throw new EgressDenied(`The header ${name} cannot be set`);
    try {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
    } catch (cause) {
      throw new EgressDenied(`The header ${JSON.stringify(name)} cannot be sent`, { cause });
    }
  }
}

/**
 * Sends one request and reads the response. A kept connection that the other side has closed is
 * replaced, so that the receiver may, rarely, get a request twice.
 * @throws EgressFailed
 */
export async function sendPinnedRequest(input: PinnedRequest): Promise<ResponseContent> {
  for (let stale = 0; ; stale += 1) {
    const sent: SentRequest = {};
    try {
      return await attempt(input, sent);
    } catch (error) {
      const wasStale = sent.request?.reusedSocket && !sent.hasResponse && isClosed(error);
      if (!wasStale || stale === staleMax || input.signal.aborted)
        throw toEgressError(error, input);
    }
  }
}

interface SentRequest {
  request?: ClientRequest;
  hasResponse?: boolean;
}

function attempt(input: PinnedRequest, sent: SentRequest): Promise<ResponseContent> {
  const { agents, target, addresses, request, signal } = input;
  const { secure, host, port, path } = target;
  const pinned: PinnedConnectionOptions = { addresses, lookup: createPinnedLookup(addresses) };
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? https : http).request({
      ...pinned,
      agent: secure ? agents.https : agents.http,
      hostname: host,
      port,
      path,
      method: request.method,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      maxHeaderSize: headerBytesMax,
      autoSelectFamilyAttemptTimeout: connectMs,
      signal,
    } as https.RequestOptions);
    sent.request = outgoing;
    outgoing.maxHeadersCount = headersMax;
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > interimResponsesMax) outgoing.destroy(new Error('too many interim responses'));
    });
    outgoing.on('response', (incoming) => {
      sent.hasResponse = true;
      if ((incoming.statusCode ?? 0) < 200) {
        outgoing.destroy();
        return reject(new Error('the endpoint switched protocols'));
      }
      readResponse(incoming, request.bodyBytesMax).then(resolve, reject);
    });
    outgoing.on('error', reject);
    outgoing.on('close', () => {
      if (!sent.hasResponse) reject(new Error('the connection was closed without a response'));
    });
    outgoing.end(request.body);
  });
}

/** Reads the response up to the limit; if there is more, the connection is closed. */
async function readResponse(incoming: IncomingMessage, bytesMax: number): Promise<ResponseContent> {
  const parts: Buffer[] = [];
  let leftBytes = bytesMax;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    parts.push(chunk.subarray(0, leftBytes));
    leftBytes -= chunk.length;
    // Leaving the loop destroys the message and its connection.
    if (leftBytes < 0) break;
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  // In stream mode, an incomplete character at the end is omitted.
  const body = new TextDecoder().decode(Buffer.concat(parts), { stream: true });
  return { status: incoming.statusCode ?? 0, headers, body };
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
const isClosed = (error: unknown): boolean => ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

const connectionErrorMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was reset',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection timed out',
  HPE_HEADER_OVERFLOW: `The response headers are larger than ${headerBytesMax} bytes`,
};

function toEgressError(error: unknown, { signal }: PinnedRequest): Error {
  if (signal.aborted) return signal.reason as Error;
  const code = codeOf(error);
  if (code.startsWith('HPE_') && !(code in connectionErrorMessages)) {
    return new EgressFailed('The response is not valid HTTP', { cause: error });
  }
  if (/CERT|^ERR_(?:TLS|SSL)|ISSUER|^EPROTO$/.test(code)) {
    return new EgressFailed(`No secure connection: ${code}`, { cause: error });
  }
  return new EgressFailed(connectionErrorMessages[code] ?? `No response: ${messageOf(error)}`, {
    cause: error,
  });
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
