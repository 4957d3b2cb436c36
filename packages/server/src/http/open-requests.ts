import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The end callbacks of unfinished requests, by connection. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when the response is sent or the connection is closed. A pipelined response that
 * waits for another one never emits `close` itself when the connection closes.
 */
export function onRequestEnd(
  request: IncomingMessage,
  response: ServerResponse,
  callback: () => void,
) {
  const { socket } = request;
  const callbacks = callbacksOf(socket);
  const end = (): void => {
    if (callbacks.delete(end)) callback();
  };
  callbacks.add(end);
  if (hasRequestEnded(request, response)) end();
  else response.once('close', end);
}

export const hasRequestEnded = ({ socket }: IncomingMessage, { closed }: ServerResponse): boolean =>
  closed || socket.destroyed;

/** The number of unfinished requests of a connection that `onRequestEnd` tracks. */
export const countOpenRequests = (socket: Socket): number => open.get(socket)?.size ?? 0;

function callbacksOf(socket: Socket): Set<() => void> {
  const existing = open.get(socket);
  if (existing) return existing;
  const callbacks = new Set<() => void>();
  open.set(socket, callbacks);
  socket.once('close', () => {
    for (const end of callbacks) end();
  });
  return callbacks;
}
