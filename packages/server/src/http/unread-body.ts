import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { App } from '../domains/ctx.ts';

/** The time that a client has to read the response after the server stopped reading the body. */
const lingerMs = 2_000;

/** Whether the headers announce a body of at least one byte. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Closes the connection after a response that precedes the end of the request body, and stops
 * reading; Node alone would read the whole body. The socket is destroyed only after a delay: with
 * unread bytes, an immediate close resets the connection, and the client may lose the response.
 */
export function closeAfterUnreadBody(server: FastifyInstance, { clock }: Pick<App, 'clock'>): void {
  const lingering = new Set<Socket>();
  server.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || !hasBody(raw)) return;
    reply.header('connection', 'close');
    const { socket } = raw;
    socket.pause();
    // Node would resume the socket to discard the rest.
    socket.resume = () => socket;
    socket.destroySoon = () => linger(socket);
  });
  const linger = (socket: Socket): void => {
    if (lingering.has(socket)) return;
    lingering.add(socket);
    let timer: Disposable | undefined;
    socket.once('close', () => {
      lingering.delete(socket);
      timer?.[Symbol.dispose]();
    });
    socket.end(() => {
      if (!socket.destroyed) timer = clock.after(lingerMs, () => socket.destroy());
    });
  };
  server.addHook('preClose', async () => {
    for (const socket of lingering) socket.destroy();
  });
}
