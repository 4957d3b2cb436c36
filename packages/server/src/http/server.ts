import type { Server } from 'node:http';
import { allRoutes, limits, type Route } from '@mneme/contract';
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
import { AppError } from '../kernel/errors.ts';
import { bindRoute } from './bind.ts';
import { answerPreflights, corsHeaders } from './cors.ts';
import { serveDocs } from './docs.ts';
import { addDoor } from './door.ts';
import { asAppError, formForPath, formOf, renderError } from './errors.ts';
import {
  addLeaving,
  ignoreExpectations,
  patience,
  refuseMalformed,
  requestIdOf,
  requireOneHost,
  requireReadableQuery,
  requireShortUrl,
  safeHeaders,
} from './hardening.ts';

const prefix = '/v1';
/** Answered at the root as well, where load balancers look. */
const rootToo = ['/health', '/ready'];

/** The HTTP side of an app: every handler bound, every error in a published form. */
export async function buildServer(
  app: App,
  handlers: readonly Handler[],
): Promise<FastifyInstance> {
  const server = fastify(optionsOf(app));
  readJsonBodies(server);
  ignoreExpectations(server);
  server.addHook('onRequest', async (request, reply) => {
    dress(app, request, reply);
    requireOneHost(request.raw);
    requireShortUrl(request.url);
    requireReadableQuery(request.url);
  });
  addLeaving(server);
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
  await serveDocs(server, prefix);
  return server;
}

const optionsOf = (app: App) =>
  ({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytesMax,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers, app.ids),
    exposeHeadRoutes: false,
    // Longer than any request line may be: what is no id is told by the route, not by the router.
    routerOptions: { maxParamLength: 65_536 },
    forceCloseConnections: 'idle',
    // Told by ourselves, in the published form.
    return503OnClosing: false,
    ...patience(app.config),
    clientErrorHandler: (error, socket) => refuseMalformed(app, error, socket),
    frameworkErrors: (error, request, given) => {
      // Found by the router: no hook runs before or after it.
      const reply = given as unknown as FastifyReply;
      dress(app, request, reply);
      sendError(app, request, reply, error);
      logRequest(request, reply);
    },
  }) satisfies FastifyHttpOptions<Server>;

/** What every answer carries. */
function dress({ config }: App, request: FastifyRequest, reply: FastifyReply): void {
  const cors = corsHeaders(config.corsOrigins, request);
  reply.headers({ ...safeHeaders, 'x-request-id': request.id, ...cors });
}

function logRequest({ log, method, url }: FastifyRequest, reply: FastifyReply): void {
  const ms = Math.round(reply.elapsedTime);
  log.info({ method, url: withoutQuery(url), status: reply.statusCode, ms }, 'request');
}

/** A search text is the user's; it stays out of the log. */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? url;

/** Own reading of JSON: an empty body is none, and a fault is the published one. */
function readJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (raw.length === 0) return undefined;
      request.rawBody = raw;
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
      } catch {
        throw new AppError('invalid_json', { message: 'The body is not valid UTF-8.' });
      }
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new AppError('invalid_json');
      }
    },
  );
  // A body of no bytes with another type, as some clients send with DELETE, is no body.
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, raw: Buffer) => {
      if (raw.length > 0) throw new AppError('unsupported_media_type');
      return undefined;
    },
  );
}

function sendError(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const error = asAppError(thrown);
  if (error.status >= 500) {
    app.log.error({ err: error.cause ?? error, reqId: request.id, code: error.code }, 'failed');
  } else if (error.cause !== undefined) {
    app.log.debug({ err: error.cause, reqId: request.id, code: error.code }, 'refused');
  }
  const form = formOf(request.headers, formForPath(request.url), error);
  const { status, headers, contentType, body } = renderError(error, form, request.id);
  return reply
    .code(status)
    .headers({ ...headers, 'x-request-id': request.id })
    .type(contentType)
    .send(JSON.stringify(body));
}

/** 405 with Allow for another method of a known path, the methods for OPTIONS, else 404. */
function notFound(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = withoutQuery(request.url);
  const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  const isRoot = below === path && rootToo.includes(path);
  const methods = below === path && !isRoot ? [] : methodsOf(below);
  if (methods.length === 0) return sendError(app, request, reply, new AppError('not_found'));
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') {
    return reply.code(204).headers({ allow, 'x-request-id': request.id }).send('');
  }
  return sendError(app, request, reply, new AppError('method_not_allowed', { headers: { allow } }));
}

/** A literal segment hides a parameter: /memories/bulk is no memory's id. */
function methodsOf(path: string): string[] {
  const segments = path.split('/');
  const matching = allRoutes.filter((route) => matches(route, segments));
  const literal = matching.filter((route) => !route.path.includes(':'));
  const methods = (literal.length > 0 ? literal : matching).map(({ method }) => method as string);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)))];
}

/** Methods of a literal path that the router would give to a parameter: GET of /memories/bulk. */
function shadowedMethods(): { path: string; methods: string[] }[] {
  const literals = new Set(allRoutes.map(({ path }) => path).filter((path) => !path.includes(':')));
  return [...literals].flatMap((path) => {
    const own = methodsOf(path);
    const all = allRoutes.filter((route) => matches(route, path.split('/')));
    const methods = all.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const others = [...new Set(methods)].filter((method) => !own.includes(method));
    return others.length > 0 ? [{ path, methods: others }] : [];
  });
}

function matches(route: Route, segments: readonly string[]): boolean {
  const own = route.path.split('/');
  return (
    own.length === segments.length &&
    own.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}
