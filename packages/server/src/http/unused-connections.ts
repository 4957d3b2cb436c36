import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * When the server closes, closes connections that have sent nothing. Clients open some in advance,
 * and Node waits for them, because it counts only those as idle that have had a request.
 */
export function closeUnusedConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
