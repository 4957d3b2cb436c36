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

/** A search text of 1,000 four-byte characters has 12 KB after percent-encoding. */
const urlCharactersMax = 16_384;
const headerBytesMax = 32_768;
const headersTimeoutMs = 15_000;
/** For a connection without traffic in either direction. */
const idleTimeoutMs = 120_000;
const keepAliveTimeoutMs = 72_000;
/** The interval in which Node checks the timeouts of requests. */
const checkEveryMs = 1_000;

/** Timeouts and header limits of the HTTP server. */
export function serverTimeoutOptions({
  requestTimeoutSeconds,
}: Config): Partial<FastifyHttpOptions<Server>> {
  const requestTimeout = requestTimeoutSeconds * 1_000;
  return {
    // Node's own limit cannot depend on the route: see request-timeout.ts.
    requestTimeout: 0,
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
      maxHeaderSize: headerBytesMax,
      connectionsCheckingInterval: checkEveryMs,
      // Node would respond with an empty body; see requireOneHostHeader.
      requireHostHeader: false,
    },
  };
}

/** For every response: it is data, and browsers must not use it as a page, script or frame. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's X-Request-Id if it is valid, otherwise a new id. */
export function requestIdOf(headers: IncomingHttpHeaders, ids: Ids): string {
  const header = String(headers['x-request-id'] ?? '');
  return requestIdPattern.test(header) ? header : ids.uuid();
}

/** Throws 414 invalid_request. */
export function requireShortUrl(url: string): void {
  if (url.length <= urlCharactersMax) return;
  const message = `The URL must have at most ${urlCharactersMax} characters.`;
  throw new AppError('invalid_request', { status: 414, message });
}

/** The router decodes only the path, so check the query here. Throws 400 invalid_request. */
export function requireDecodableQuery(url: string): void {
  const query = url.slice(url.indexOf('?') + 1);
  if (!query.includes('%') || query === url) return;
  try {
    decodeURIComponent(query);
  } catch (cause) {
    const message = 'The query must be percent-encoded UTF-8.';
    throw new AppError('invalid_request', { message, cause });
  }
}

/** RFC 9112, 3.2: HTTP/1.1 requires exactly one Host header. Throws 400 invalid_request. */
export function requireOneHostHeader({ httpVersion, rawHeaders }: IncomingMessage): void {
  const isHost = (text: string, i: number) => i % 2 === 0 && text.toLowerCase() === 'host';
  const hosts = rawHeaders.filter(isHost).length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  const message = 'The request must have one Host header.';
  throw new AppError('invalid_request', { message });
}

/**
 * While the server closes, each response closes its connection, so that open connections do not
 * delay the stop. New requests get 503 service_unavailable.
 */
export function drainOnClose(server: FastifyInstance): void {
  let isDraining = false;
  server.addHook('preClose', async () => {
    isDraining = true;
  });
  server.addHook('onRequest', async () => {
    if (isDraining) throw new AppError('service_unavailable');
  });
  server.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close');
  });
}

/** Maps errors of Node's parser, whose requests never reach a handler. */
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

/** The response that currently uses the socket, from an undocumented property of Node. */
const pendingResponse = (socket: Socket): ServerResponse | null =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/**
 * Responds to malformed or incomplete requests, which never reach a handler, with an error in a
 * published form: the requested form if the headers have arrived.
 */
export function handleClientError(
  { ids, log }: Pick<App, 'ids' | 'log'>,
  cause: NodeJS.ErrnoException,
  socket: Socket,
): void {
  const pending = pendingResponse(socket);
  // The client would take this response for that of an earlier request, or as a part of it.
  const belongsToOther = pending !== null && (pending.headersSent || pending.req.complete);
  if (!socket.writable || belongsToOther) {
    socket.destroy();
    return;
  }
  const error = toClientError(cause);
  const { headers = {}, url = '' } = pending?.req ?? {};
  const requestId = requestIdOf(headers, ids);
  const response = toErrorResponse(error, { id: requestId, url, headers });
  const { status } = response;
  log.info({ reqId: requestId, status, fault: cause.code }, 'malformed request');
  const text = JSON.stringify(response.body);
  const head = Object.entries({
    ...securityHeaders,
    'content-type': jsonContentType,
    ...response.headers,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`;
  // The client may never read: the socket closes in any case.
  socket.end(`${[start, ...head].join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
