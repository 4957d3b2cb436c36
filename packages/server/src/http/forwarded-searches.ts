import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import {
  forwardedSearchPath,
  forwardedSearchType,
  runForwardedSearch,
  type SignedSearch,
  searchBytesMax,
  signatureHeader,
  verifyForwardedSearch,
} from '../domains/search-index/index.ts';
import { AppError } from '../kernel/errors.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import { type RequestSlot, requestLimiter } from '../kernel/request-limiter.ts';
import { schemaChangedError } from './errors.ts';
import { onRequestEnd } from './open-requests.ts';

interface AcceptedSearch {
  readonly signed: SignedSearch;
  readonly slot: RequestSlot;
  /** The slot is released when the search ends, also if the peer disconnects before. */
  isRunning: boolean;
}

/**
 * Serves searches that other processes of the database forward. The signature is the only
 * credential; for anybody else the path does not exist.
 */
export async function serveForwardedSearches(server: FastifyInstance, app: App): Promise<void> {
  if (app.config.index.peerUrl === null) return;
  const accepted = new WeakMap<FastifyRequest, AcceptedSearch>();
  await server.register((scope, _options, done) => {
    scope.addContentTypeParser(
      forwardedSearchType,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => body,
    );
    scope.route({
      method: 'POST',
      url: forwardedSearchPath,
      bodyLimit: searchBytesMax,
      config: { bodyTypes: [forwardedSearchType] },
      onRequest: async (request, reply) => {
        accepted.set(request, acceptSearch(app, request, reply));
      },
      handler: async (request, reply) => {
        const search = accepted.get(request);
        if (search === undefined) throw new AppError('not_found');
        return sendOutcome(app, search, request.body, reply);
      },
    });
    done();
  });
}

/** Before the body is read. Throws 404 not_found without a valid signature, and 503. */
function acceptSearch(app: App, request: FastifyRequest, reply: FastifyReply): AcceptedSearch {
  const signed = verifyForwardedSearch(app, request.headers[signatureHeader]);
  if (signed === null) throw new AppError('not_found');
  const { schemaChanged } = app.engine;
  if (schemaChanged !== null) throw schemaChangedError(schemaChanged);
  const slot = requestLimiter.of(app).acquire({ kind: 'account', id: signed.accountId });
  const search: AcceptedSearch = { signed, slot, isRunning: false };
  onRequestEnd(request.raw, reply.raw, () => {
    if (!search.isRunning) slot.release();
  });
  return search;
}

function sendOutcome(
  app: App,
  search: AcceptedSearch,
  body: unknown,
  reply: FastifyReply,
): FastifyReply {
  const { signed, slot } = search;
  const running = Buffer.isBuffer(body)
    ? runForAccount(signed.accountId, () => runForwardedSearch(app, signed, body))
    : null;
  if (running === null) throw new AppError('not_found');
  search.isRunning = true;
  void running.done.finally(() => slot.release());
  return reply.type(forwardedSearchType).send(Readable.from(running.response));
}
