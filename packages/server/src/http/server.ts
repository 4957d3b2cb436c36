import type { Server } from 'node:http';
import { limits } from '@mneme/contract';
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { App } from '../domains/ctx.ts';
import type { Handler } from '../domains/handle.ts';
import { inRanges } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import { BlobsUnavailable } from '../providers/blobs/index.ts';
import { requireAllowedHost, requireOwnOrigin } from './allowed-hosts.ts';
import { jsonType } from './answer.ts';
import { limitArrival, meetExpectations } from './arrival.ts';
import { bindRoute } from './bind.ts';
import { readBodies } from './bodies.ts';
import { limitConnections } from './connections.ts';
import { answerPreflights, corsHeaders } from './cors.ts';
import { serveDocs } from './docs.ts';
import { addDoor } from './door.ts';
import { asAppError, errorAnswer } from './errors.ts';
import {
  addLeaving,
  patience,
  refuseMalformed,
  requestIdOf,
  requireOneHost,
  requireReadableQuery,
  requireShortUrl,
  safeHeaders,
} from './hardening.ts';
import { checkMediaTypes } from './media-type.ts';
import { methodsOf, shadowedMethods } from './methods.ts';
import { isTus, overrideMethod, speakTus } from './tus.ts';
import { endUnreadBodies } from './unread-body.ts';

const prefix = '/v1';
/** Answered at the root as well, where load balancers look. */
const rootToo = ['/health', '/ready'];

/** The HTTP side of an app: every handler bound, every error in a published form. */
export async function buildServer(
  app: App,
  handlers: readonly Handler[],
): Promise<FastifyInstance> {
  const server = fastify(optionsOf(app));
  checkMediaTypes(server);
  readBodies(server, app);
  meetExpectations(server);
  server.addHook('onRequest', async (request, reply) => {
    dress(app, request, reply);
    requireOneHost(request.raw);
    requireAllowedHost(app, request);
    requireOwnOrigin(app, request);
    requireShortUrl(request.url);
    requireReadableQuery(request.url);
    limitArrival(app, request, reply);
  });
  limitConnections(server, app);
  endUnreadBodies(server, app);
  addLeaving(server);
  speakTus(server, app, prefix);
  answerPreflights(server, app.config.corsOrigins);
  server.addHook('onRequest', async (request, reply) => {
    // Told before a body is read: whatever it holds, nobody wants it.
    if (request.is404) return notFound(app, request, reply);
  });
  addDoor(server);
  server.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  server.setErrorHandler((error, request, reply) => sendError(app, request, reply, error));
  server.setNotFoundHandler((request, reply) => notFound(app, request, reply));
  await server.register(
    (scope, _options, done) => {
      for (const handler of handlers) bindRoute(scope, app, handler);
      for (const { path, methods } of shadowedMethods()) {
        const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
          notFound(app, request, reply);
        scope.route({ method: methods, url: path, onRequest: refuse, handler: refuse });
      }
      done();
    },
    { prefix },
  );
  for (const handler of handlers) {
    if (rootToo.includes(handler.route.path)) bindRoute(server, app, handler);
  }
  serveDocs(server, app, prefix);
  return server;
}

const optionsOf = (app: App) => {
  const { trustedProxies } = app.config;
  return {
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytesMax,
    requestIdHeader: false,
    // The client behind proxies that we trust; what others say of it is not believed.
    trustProxy: trustedProxies.length > 0 ? inRanges(trustedProxies) : false,
    genReqId: ({ headers }) => requestIdOf(headers, app.ids),
    exposeHeadRoutes: false,
    // Longer than any request line may be: what is no id is told by the route, not by the router.
    routerOptions: { maxParamLength: 65_536 },
    forceCloseConnections: 'idle',
    // Told by ourselves, in the published form.
    return503OnClosing: false,
    rewriteUrl: (raw) => {
      overrideMethod(raw, prefix);
      return raw.url ?? '/';
    },
    ...patience(app.config),
    clientErrorHandler: (error, socket) => refuseMalformed(app, error, socket),
    frameworkErrors: (error, request, given) => {
      // Found by the router: no hook runs before or after it.
      const reply = given as unknown as FastifyReply;
      dress(app, request, reply);
      sendError(app, request, reply, error);
      logRequest(request, reply);
    },
  } satisfies FastifyHttpOptions<Server>;
};

/** What every answer carries. */
function dress({ config }: App, request: FastifyRequest, reply: FastifyReply): void {
  const cors = corsHeaders(config.corsOrigins, request);
  reply.headers({ ...safeHeaders, 'x-request-id': request.id, ...cors });
}

function logRequest({ log, method, url, ip }: FastifyRequest, reply: FastifyReply): void {
  const ms = Math.round(reply.elapsedTime);
  const status = reply.statusCode;
  log.info({ method, url: withoutQuery(url), status, ms, client: ip }, 'request');
}

/** A search text is the user's; it stays out of the log. */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? url;

function sendError(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const error = asAppError(thrown);
  const told = { err: error.cause ?? error, reqId: request.id, code: error.code };
  // A 503 is said on purpose, and to many at once: the line of each request is enough.
  if (error.status >= 500 && error.code !== 'service_unavailable') app.log.error(told, 'failed');
  else if (error.cause instanceof BlobsUnavailable) app.log.warn(told, 'files were out of reach');
  else if (error.cause !== undefined) app.log.debug(told, 'refused');
  const { status, headers, body } = errorAnswer(error, request);
  return reply.code(status).type(jsonType).headers(headers).send(JSON.stringify(body));
}

/** 405 with Allow for another method of a known path, the methods for OPTIONS, else 404. */
function notFound(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = routePathOf(withoutQuery(request.url));
  const methods = path === null ? [] : methodsOf(path);
  if (methods.length === 0) return sendError(app, request, reply, new AppError('not_found'));
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') {
    // Some clients of tus take nothing but 200 for an answer.
    return reply
      .code(isTus(request.url, prefix) ? 200 : 204)
      .headers({ allow })
      .send('');
  }
  return sendError(app, request, reply, new AppError('method_not_allowed', { headers: { allow } }));
}

/** As the contract has it; null where no route can be. */
function routePathOf(path: string): string | null {
  if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  return rootToo.includes(path) ? path : null;
}
