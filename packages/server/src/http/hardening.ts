import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import type { Config } from '../kernel/config.ts';
import { AppError } from '../kernel/errors.ts';
import { renderError } from './errors.ts';

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
export function patience({ requestTimeoutSeconds }: Config): Partial<FastifyHttpOptions<Server>> {
  const requestTimeout = requestTimeoutSeconds * 1_000;
  return {
    requestTimeout,
    connectionTimeout: idleTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
      requestTimeout,
      maxHeaderSize: headerBytesMax,
      connectionsCheckingInterval: checkEveryMs,
    },
  };
}

/** On every answer: it is data for its caller, and never a page, a script or a frame. */
export const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Throws 414 invalid_request. */
export function requireShortUrl(url: string): void {
  if (url.length <= urlCharactersMax) return;
  const message = `The URL must have at most ${urlCharactersMax} characters.`;
  throw new AppError('invalid_request', { status: 414, message });
}

/** What Node's parser says of a request that never reaches a handler. */
function faultOf({ code }: NodeJS.ErrnoException): AppError {
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

/** Bytes that are no HTTP never reach a handler; the answer is the published form all the same. */
export function refuseMalformed(error: Error, requestId: string, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body, contentType } = renderError(faultOf(error), 'nested', requestId);
  const text = JSON.stringify(body);
  const head = Object.entries({
    ...safeHeaders,
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`;
  // Whoever sent this may never read: the socket ends whether or not the answer is taken.
  socket.end(`${[start, ...head].join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
