import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { handleClientError } from './hardening.ts';
import { hasBody } from './unread-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of this media type its body may come for hours, as long as enough of it comes. */
    largeBody?: string | undefined;
  }
}

/** The slowest that a body may come, as it does over the poorest of mobile networks. */
const bytesPerSecondMin = 1_024;
/** Of each of these at least so many bytes: JSON, and a large body, which may pause for longer. */
const windowSeconds = 10;

/** Without parameters; empty where there is none. */
export const mediaTypeOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether its bytes may take their time. */
export const isLargeBody = (request: FastifyRequest): boolean => {
  const { largeBody } = request.routeOptions.config;
  return largeBody !== undefined && mediaTypeOf(request) === largeBody;
};

/**
 * A request that is not here in time is 408, and so is one of which too few bytes have come since
 * it was last looked at. Those that may take hours are looked at less often.
 */
export function enforceRequestTimeout(
  { config, clock, ids, log }: Pick<App, 'config' | 'clock' | 'ids' | 'log'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { raw } = request;
  if (raw.complete || !hasBody(raw)) return;
  const { socket } = raw;
  const large = isLargeBody(request);
  const seconds = config.requestTimeoutSeconds;
  const window = large ? seconds : Math.min(windowSeconds, seconds);
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  let seen = socket.bytesRead;
  let left = seconds;
  const look = (): void => {
    if (raw.complete) return;
    // Not asked for yet, or waiting to be read here: it is not the client that is slow.
    const isOurs = awaitingContinue.has(raw) || raw.readableLength > 0;
    const flows = isOurs || socket.bytesRead - seen >= bytesPerSecondMin * window;
    left -= window;
    const isOverdue = !large && left <= 0 && !isOurs;
    if (!flows || isOverdue || reply.raw.writableEnded) {
      handleClientError({ ids, log }, late, socket);
      return;
    }
    seen = socket.bytesRead;
    const next = large || left <= 0 ? window : Math.min(window, left);
    timer = clock.after(next * 1_000, look);
  };
  let timer = clock.after(window * 1_000, look);
  raw.once('close', () => timer[Symbol.dispose]());
}

/** Requests that wait to be told that their body is wanted. */
const awaitingContinue = new WeakMap<object, ServerResponse>();

/**
 * `Expect: 100-continue`: the body is asked for once it will be read, and never where the request
 * is refused before. An expectation that nobody knows is let be (RFC 9110, 10.1.1).
 */
export function handleExpectContinue(server: FastifyInstance): void {
  const begin = (request: IncomingMessage, response: ServerResponse) =>
    server.server.emit('request', request, response);
  server.server.on('checkExpectation', begin);
  server.server.on('checkContinue', (request, response) => {
    awaitingContinue.set(request, response);
    begin(request, response);
  });
  server.addHook('onSend', async ({ raw }, reply) => {
    // Whether its body still comes nobody can know: what came next might be taken for it.
    if (awaitingContinue.has(raw)) reply.header('connection', 'close');
  });
}

/** Its body is wanted: whoever waits for that is told to send it. */
export function sendContinue(raw: object): void {
  awaitingContinue.get(raw)?.writeContinue();
  awaitingContinue.delete(raw);
}
