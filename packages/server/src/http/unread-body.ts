import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { App } from '../domains/ctx.ts';

/** How long a client has to read the answer to a body that the server does not read. */
const lingerMs = 2_000;

/** Whether a request has a body of at least a byte, as far as its head says. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Where an answer leaves before all of the body has come, the connection ends with it, and nothing
 * more is read. Node alone would go on reading, as fast as the client sends. The socket is closed
 * in both directions only after a while: closed at once, the unread bytes would make the system
 * reset the connection, and the client might lose the answer.
 */
export function closeAfterUnreadBody(server: FastifyInstance, { clock }: Pick<App, 'clock'>): void {
  const lingering = new Set<Socket>();
  server.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || !hasBody(raw)) return;
    reply.header('connection', 'close');
    const { socket } = raw;
    socket.pause();
    // Node resumes it in order to discard the rest.
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
