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
import { requestLimiter } from '../kernel/request-limiter.ts';
import { schemaChangedError } from './errors.ts';
import { onRequestEnd } from './open-requests.ts';

interface AcceptedSearch {
  readonly signed: SignedSearch;
  /** Ends the request for the limits of this process. */
  release(): void;
  /** The request ends when the search ends, also if the peer disconnects before. */
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
  const limiter = requestLimiter.of(app);
  const slot = limiter.acquire({ kind: 'account', id: signed.accountId });
  const endActivity = limiter.beginActivity('read');
  const release = (): void => {
    slot.release();
    endActivity();
  };
  const search: AcceptedSearch = { signed, release, isRunning: false };
  onRequestEnd(request.raw, reply.raw, () => {
    if (!search.isRunning) release();
  });
  return search;
}

function sendOutcome(
  app: App,
  search: AcceptedSearch,
  body: unknown,
  reply: FastifyReply,
): FastifyReply {
  const { signed } = search;
  const running = Buffer.isBuffer(body)
    ? runForAccount(signed.accountId, () => runForwardedSearch(app, signed, body))
    : null;
  if (running === null) throw new AppError('not_found');
  search.isRunning = true;
  void running.done.finally(() => search.release());
  return reply.type(forwardedSearchType).send(Readable.from(running.response));
}
