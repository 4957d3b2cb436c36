import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { App } from '../domains/ctx.ts';
import type { Config } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { toErrorResponse } from './errors.ts';
import { jsonContentType } from './response.ts';

/** A query of 1,000 characters takes 12 KB where each is four bytes, percent-encoded. */
const urlCharactersMax = 16_384;
const headerBytesMax = 32_768;
const headersTimeoutMs = 15_000;
/** A connection on which nothing moves, in either direction. */
const idleTimeoutMs = 120_000;
const keepAliveTimeoutMs = 72_000;
/** How late a timeout of a request may be noticed. */
const checkEveryMs = 1_000;

/** How long, and how much, the server waits for a client. */
export function timeoutOptions({
  requestTimeoutSeconds,
}: Config): Partial<FastifyHttpOptions<Server>> {
  const requestTimeout = requestTimeoutSeconds * 1_000;
  return {
    // See arrival.ts: Node's own limit knows no routes.
    requestTimeout: 0,
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
      maxHeaderSize: headerBytesMax,
      connectionsCheckingInterval: checkEveryMs,
      // Node's own refusal is an empty one; see requireOneHost.
      requireHostHeader: false,
    },
  };
}

/** On every answer: it is data for its caller, and never a page, a script or a frame. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own X-Request-Id where it is one, else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders, ids: Ids): string {
  const given = String(headers['x-request-id'] ?? '');
  return requestIdPattern.test(given) ? given : ids.uuid();
}

/** Throws 414 invalid_request. */
export function requireShortUrl(url: string): void {
  if (url.length <= urlCharactersMax) return;
  const message = `The URL must have at most ${urlCharactersMax} characters.`;
  throw new AppError('invalid_request', { status: 414, message });
}

/** The router reads the path; a query would be taken as it stands. Throws 400 invalid_request. */
export function requireReadableQuery(url: string): void {
  const query = url.slice(url.indexOf('?') + 1);
  if (!query.includes('%') || query === url) return;
  try {
    decodeURIComponent(query);
  } catch (cause) {
    const message = 'The query must be percent-encoded UTF-8.';
    throw new AppError('invalid_request', { message, cause });
  }
}

/** RFC 9112, 3.2: HTTP/1.1 names its host, once. Throws 400 invalid_request. */
export function requireOneHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  const isHost = (text: string, i: number) => i % 2 === 0 && text.toLowerCase() === 'host';
  const hosts = rawHeaders.filter(isHost).length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  const message = 'The request must have one Host header.';
  throw new AppError('invalid_request', { message });
}

/**
 * While the server closes, each answer ends its connection: a client that keeps one open would
 * hold the stop up. What comes in even so is 503 service_unavailable.
 */
export function drainOnClose(server: FastifyInstance): void {
  let leaving = false;
  server.addHook('preClose', async () => {
    leaving = true;
  });
  server.addHook('onRequest', async () => {
    if (leaving) throw new AppError('service_unavailable');
  });
  server.addHook('onSend', async (_request, reply) => {
    if (leaving) reply.header('connection', 'close');
  });
}

/** What Node's parser says of a request that never reaches a handler. */
function toClientError({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('invalid_request', {
        status: 408,
        message: 'The request did not arrive in time.',
      });
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('invalid_request', {
        status: 431,
        message: `The request line and headers must have at most ${headerBytesMax} bytes.`,
      });
    default:
      return new AppError('invalid_request');
  }
}

/** The answer for which Node keeps a socket; its name there is not published. */
const pendingResponse = (socket: Socket): ServerResponse | null =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/**
 * Bytes that are no HTTP, or too few of them, never reach a handler. The answer is in a published
 * form all the same: in the one asked for, where the head of the request has come.
 */
export function handleClientError(
  { ids, log }: Pick<App, 'ids' | 'log'>,
  fault: NodeJS.ErrnoException,
  socket: Socket,
): void {
  const answer = pendingResponse(socket);
  // Of a request before: it would be taken for its answer, or would stand in the middle of it.
  const isOthers = answer !== null && (answer.headersSent || answer.req.complete);
  if (!socket.writable || isOthers) {
    socket.destroy();
    return;
  }
  const error = toClientError(fault);
  const { headers = {}, url = '' } = answer?.req ?? {};
  const requestId = requestIdOf(headers, ids);
  const final = toErrorResponse(error, { id: requestId, url, headers });
  const { status } = final;
  log.info({ reqId: requestId, status, fault: fault.code }, 'malformed request');
  const text = JSON.stringify(final.body);
  const head = Object.entries({
    ...securityHeaders,
    'content-type': jsonContentType,
    ...final.headers,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`;
  // Whoever sent this may never read: the socket ends whether or not the answer is taken.
  socket.end(`${[start, ...head].join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
