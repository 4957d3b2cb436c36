import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { clientNetwork, createRangeMatcher } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import { countOpenRequests, onRequestEnd } from './open-requests.ts';

/** Connections of one network, even where fewer requests are allowed. */
const perNetworkMin = 256;
/** Of all networks together, as a multiple of that of one. */
const networksPerServer = 10;
/** Requests that one connection may send ahead of their answers. */
const pipelinedMax = 100;
const warnEveryMs = 60_000;

/**
 * Limits what clients may hold without a request that counts: connections, by the network that
 * they come from, and requests sent ahead. A trusted proxy may open as many as there are.
 */
export function limitConnections(server: FastifyInstance, app: App): void {
  const { config, clock, log } = app;
  const max = Math.max(perNetworkMin, config.requestsMax);
  const isTrusted = createRangeMatcher(config.trustedProxies);
  const counts = new Map<string, number>();
  let lastWarnedMs = Number.NEGATIVE_INFINITY;
  server.server.maxConnections = networksPerServer * max;
  server.server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (isTrusted(peer)) return;
    const network = clientNetwork(peer);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
    if (count <= max) return;
    socket.destroy();
    const now = clock.monotonicMs();
    if (now - lastWarnedMs < warnEveryMs) return;
    lastWarnedMs = now;
    const hint = 'if it is a proxy, set MNEME_TRUSTED_PROXIES';
    log.warn({ network, max, hint }, 'connection refused: too many from one network');
  });
  server.addHook('onRequest', async ({ raw }, reply) => {
    // One that is behind a hundred is answered at once, so that Node stops reading the next ones.
    if (countOpenRequests(raw.socket) >= pipelinedMax) {
      throw new AppError('service_unavailable', {
        message: `A connection may have at most ${pipelinedMax} unanswered requests.`,
        headers: { 'retry-after': '1' },
      });
    }
    onRequestEnd(raw, reply.raw, () => undefined);
  });
}
