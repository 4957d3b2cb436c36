import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { handleClientError } from './hardening.ts';
import { hasBody } from './unread-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body of these media types may take hours, subject to the minimum transfer rate. */
    largeBodies?: readonly string[];
  }
}

/** The minimum transfer rate of a body, which even poor mobile networks reach. */
const bytesPerSecondMin = 1_024;
/** The window of the transfer rate for JSON; large bodies have a longer one and may pause. */
const windowSeconds = 10;

/** The Content-Type without parameters; '' without the header. */
export const mediaTypeOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether the body has the media type of the route's large bodies. */
export const isLargeBody = (request: FastifyRequest): boolean => {
  const { largeBodies = [] } = request.routeOptions.config;
  return largeBodies.includes(mediaTypeOf(request));
};

/**
 * Responds 408 to a request that does not arrive within the timeout, or whose transfer rate in a
 * window is too low. Large bodies have no timeout and a longer window.
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
  let lastBytesRead = socket.bytesRead;
  let remainingSeconds = seconds;
  const check = (): void => {
    if (raw.complete) return;
    // The server has not requested the body yet, or has unread bytes: the client is not slow.
    const isServerSide = awaitingContinue.has(raw) || raw.readableLength > 0;
    const isFastEnough =
      isServerSide || socket.bytesRead - lastBytesRead >= bytesPerSecondMin * window;
    remainingSeconds -= window;
    const isOverdue = !large && remainingSeconds <= 0 && !isServerSide;
    if (!isFastEnough || isOverdue || reply.raw.writableEnded) {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      handleClientError({ ids, log }, late, socket);
      return;
    }
    lastBytesRead = socket.bytesRead;
    const next = large || remainingSeconds <= 0 ? window : Math.min(window, remainingSeconds);
    timer = clock.after(next * 1_000, check);
  };
  let timer = clock.after(window * 1_000, check);
  raw.once('close', () => timer[Symbol.dispose]());
}

/** Requests whose client waits for `100 Continue`. */
const awaitingContinue = new WeakMap<object, ServerResponse>();

/**
 * `Expect: 100-continue`: the server sends `100 Continue` when it starts to read the body, and not
 * if it rejects the request before. It ignores unknown expectations (RFC 9110, 10.1.1).
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
    // The client may still send the body, which would be parsed as the next request.
    if (awaitingContinue.has(raw)) reply.header('connection', 'close');
  });
}

/** Sends `100 Continue` if the client waits for it. */
export function sendContinue(raw: object): void {
  awaitingContinue.get(raw)?.writeContinue();
  awaitingContinue.delete(raw);
}
