import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What has to happen when a request is over, by its connection. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when the response has been sent or its connection is gone. A response that waits
 * behind another one on its connection never emits `close` when that connection ends.
 */
export function onRequestEnd(request: IncomingMessage, response: ServerResponse, call: () => void) {
  const { socket } = request;
  const calls = callsOf(socket);
  const end = (): void => {
    if (calls.delete(end)) call();
  };
  calls.add(end);
  if (hasRequestEnded(request, response)) end();
  else response.once('close', end);
}

export const hasRequestEnded = ({ socket }: IncomingMessage, { closed }: ServerResponse): boolean =>
  closed || socket.destroyed;

/** Requests of this connection that have not been answered, as far as `onceOver` knows them. */
export const countOpenRequests = (socket: Socket): number => open.get(socket)?.size ?? 0;

function callsOf(socket: Socket): Set<() => void> {
  const known = open.get(socket);
  if (known) return known;
  const calls = new Set<() => void>();
  open.set(socket, calls);
  socket.once('close', () => {
    for (const end of calls) end();
  });
  return calls;
}
