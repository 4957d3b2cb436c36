import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { clientNetwork, createAddressRangeMatcher } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import { countOpenRequests, onRequestEnd } from './open-requests.ts';

/** The minimum connection limit per network, also with a lower MNEME_REQUESTS_MAX. */
const perNetworkMin = 256;
/** The total connection limit as a multiple of the limit per network. */
const networksPerServer = 10;
/** The maximum number of pipelined requests per connection. */
const pipelinedMax = 100;
const warnEveryMs = 60_000;

/**
 * Limits resources that are not part of a counted request: connections per client network, and
 * pipelined requests. Trusted proxies have no connection limit.
 */
export function limitConnections(server: FastifyInstance, app: App): void {
  const { config, clock, log } = app;
  const max = Math.max(perNetworkMin, config.requestsMax);
  const isTrusted = createAddressRangeMatcher(config.trustedProxies);
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
      const remaining = (counts.get(network) ?? 1) - 1;
      if (remaining > 0) counts.set(network, remaining);
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
    // Reject further pipelined requests immediately, so that Node stops reading more of them.
    if (countOpenRequests(raw.socket) >= pipelinedMax) {
      throw new AppError('service_unavailable', {
        message: `A connection may have at most ${pipelinedMax} unanswered requests.`,
        headers: { 'retry-after': '1' },
      });
    }
    onRequestEnd(raw, reply.raw, () => undefined);
  });
}
