import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { limits, type Route } from '@mneme/contract';
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { App } from '../domains/ctx.ts';
import type { Handler } from '../domains/handler.ts';
import { createAddressRangeMatcher } from '../kernel/client-network.ts';
import { AppError } from '../kernel/errors.ts';
import { type Metrics, metricCollectors, metrics } from '../kernel/metrics/metrics.ts';
import type { CreateProtocolServer } from '../mcp/index.ts';
import { BlobStoreUnavailable } from '../providers/blobs/index.ts';
import { serveAgentHooks } from './agent-hooks.ts';
import { requireAllowedHost, requireAllowedOrigin } from './allowed-hosts.ts';
import { allowedMethods, shadowedMethods } from './allowed-methods.ts';
import { registerAdmission } from './authenticate-request.ts';
import { type BoundHandlers, bindRoute } from './bind-route.ts';
import { registerBodyParsers } from './body-parsers.ts';
import { limitConnections } from './connection-limits.ts';
import { serveConsole } from './console/serve-console.ts';
import { corsHeaders, handlePreflights } from './cors.ts';
import { serveDocs } from './docs.ts';
import { toAppError, toErrorResponse } from './errors.ts';
import { serveForwardedSearches } from './forwarded-searches.ts';
import {
  drainOnClose,
  handleClientError,
  requestIdOf,
  requireDecodableQuery,
  requireOneHostHeader,
  requireShortUrl,
  securityHeaders,
  serverTimeoutOptions,
} from './hardening.ts';
import { serveMcp } from './mcp.ts';
import { checkMediaTypes } from './media-type.ts';
import { serveOAuth } from './oauth/serve-oauth.ts';
import { enforceRequestTimeout, handleExpectContinue } from './request-timeout.ts';
import { jsonContentType } from './response.ts';
import { runInTrace, traceRequests } from './trace-requests.ts';
import { isTusPath, overrideMethod, registerTus } from './tus.ts';
import { closeAfterUnreadBody } from './unread-body.ts';
import { closeUnusedConnections } from './unused-connections.ts';

const prefix = '/v1';
/** Also available without the prefix, for load balancers and monitoring. */
const rootPaths = ['/health', '/ready', '/livez', '/readyz', '/metrics'];

export interface HttpServerOverrides {
  /** The MCP server, instead of Mneme's; for the protocol's conformance suite. */
  readonly createProtocolServer?: CreateProtocolServer;
}

/** Builds the HTTP server: binds all handlers and renders all errors in a published form. */
export async function buildServer(
  app: App,
  handlers: readonly Handler[],
  { createProtocolServer }: HttpServerOverrides = {},
): Promise<FastifyInstance> {
  const byRoute = groupByRoute(handlers);
  const server = fastify(fastifyOptions(app));
  traceRequests(server, app);
  checkMediaTypes(server);
  registerBodyParsers(server, app);
  handleExpectContinue(server);
  server.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(app, request, reply);
    requireOneHostHeader(request.raw);
    requireAllowedHost(app, request);
    requireAllowedOrigin(app, request);
    requireShortUrl(request.url);
    requireDecodableQuery(request.url);
    enforceRequestTimeout(app, request, reply);
  });
  limitConnections(server, app);
  closeUnusedConnections(server);
  closeAfterUnreadBody(server, app);
  drainOnClose(server);
  registerTus(server, app, prefix);
  handlePreflights(server, app.config.corsOrigins);
  server.addHook('onRequest', async (request, reply) => {
    // Respond before the body is read.
    if (request.is404) return sendNotFound(app, request, reply);
  });
  registerAdmission(server);
  server.addHook('onResponse', async (request, reply) => {
    runInTrace(request, () => logRequest(request, reply));
    recordRequest(app, request, reply);
  });
  metricCollectors.of(app).push((metrics) => countConnections(server, metrics));
  server.setErrorHandler((error, request, reply) => sendError(app, request, reply, error));
  server.setNotFoundHandler((request, reply) => sendNotFound(app, request, reply));
  await server.register(
    (scope, _options, done) => {
      for (const bound of byRoute) bindRoute(scope, app, bound);
      for (const { path, methods } of shadowedMethods()) {
        const reject = async (request: FastifyRequest, reply: FastifyReply) =>
          sendNotFound(app, request, reply);
        scope.route({ method: methods, url: path, onRequest: reject, handler: reject });
      }
      done();
    },
    { prefix },
  );
  for (const bound of byRoute) {
    if (rootPaths.includes(bound.handler.route.path)) bindRoute(server, app, bound);
  }
  serveConsole(server, app);
  serveDocs(server, app, prefix);
  await serveOAuth(server, app);
  await serveMcp(server, app, handlers, createProtocolServer);
  await serveAgentHooks(server, app, handlers);
  await serveForwardedSearches(server, app);
  return server;
}

const groupByRoute = (handlers: readonly Handler[]): BoundHandlers[] =>
  handlers
    .filter(({ handlesForm }) => !handlesForm)
    .map((handler) => ({
      handler,
      formHandler: handlers.find((other) => other.handlesForm && other.route === handler.route),
    }));

const fastifyOptions = (app: App) => {
  const { trustedProxies } = app.config;
  return {
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytesMax,
    requestIdHeader: false,
    // X-Forwarded-For is used only from trusted proxies.
    trustProxy: trustedProxies.length > 0 ? createAddressRangeMatcher(trustedProxies) : false,
    genReqId: ({ headers }) => requestIdOf(headers, app.ids),
    exposeHeadRoutes: false,
    // Above the limit of the request line, so that the route and not the router rejects an id.
    routerOptions: { maxParamLength: 65_536 },
    forceCloseConnections: 'idle',
    // drainOnClose sends the 503 in the published form.
    return503OnClosing: false,
    rewriteUrl: (raw) => {
      overrideMethod(raw, prefix);
      return raw.url ?? '/';
    },
    ...serverTimeoutOptions(app.config),
    clientErrorHandler: (error, socket) => handleClientError(app, error, socket),
    frameworkErrors: (error, request, frameworkReply) => {
      // An error of the router: no hooks run before or after it.
      const reply = frameworkReply as unknown as FastifyReply;
      setCommonHeaders(app, request, reply);
      sendError(app, request, reply, error);
      logRequest(request, reply);
    },
  } satisfies FastifyHttpOptions<Server>;
};

/** Sets the headers of every response. */
function setCommonHeaders({ config }: App, request: FastifyRequest, reply: FastifyReply): void {
  const cors = corsHeaders(config.corsOrigins, request);
  reply.headers({ ...securityHeaders, 'x-request-id': request.id, ...cors });
}

function logRequest({ log, method, url, ip }: FastifyRequest, reply: FastifyReply): void {
  const ms = Math.round(reply.elapsedTime);
  const status = reply.statusCode;
  log.info({ method, url: withoutQuery(url), status, ms, client: ip }, 'request');
}

function recordRequest(app: App, { routeOptions }: FastifyRequest, reply: FastifyReply): void {
  const { route } = routeOptions.config as { route?: Route };
  // A stream lasts as long as its client stays.
  if (route?.eventStream !== undefined) return;
  const labels = { operation: route?.id ?? 'other', status: String(reply.statusCode) };
  const seconds = reply.elapsedTime / 1_000;
  metrics.of(app).observe('mneme_http_request_duration_seconds', labels, seconds);
}

async function countConnections({ server }: FastifyInstance, metrics: Metrics): Promise<void> {
  const count = await promisify(server.getConnections.bind(server))();
  metrics.set('mneme_http_connections', count);
}

/** The query may contain a search text of the user, which must not be logged. */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? url;

function sendError(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const error = toAppError(thrown);
  const logFields = { err: error.cause ?? error, reqId: request.id, code: error.code };
  // A 503 is intentional and frequent under load: the log line of the request is sufficient.
  if (error.status >= 500 && error.code !== 'service_unavailable') {
    app.log.error(logFields, 'request failed');
  } else if (error.cause instanceof BlobStoreUnavailable) {
    app.log.warn(logFields, 'blob store unavailable');
  } else if (error.cause !== undefined) app.log.debug(logFields, 'request rejected');
  const { status, headers, body } = toErrorResponse(error, request);
  return reply.code(status).type(jsonContentType).headers(headers).send(JSON.stringify(body));
}

/** 405 with Allow for an unsupported method, Allow for OPTIONS, otherwise 404. */
function sendNotFound(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = routePathOf(withoutQuery(request.url));
  const methods = path === null ? [] : allowedMethods(path);
  if (methods.length === 0) return sendError(app, request, reply, new AppError('not_found'));
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') {
    // Some tus clients accept only 200.
    return reply
      .code(isTusPath(request.url, prefix) ? 200 : 204)
      .headers({ allow })
      .send('');
  }
  return sendError(app, request, reply, new AppError('method_not_allowed', { headers: { allow } }));
}

/** The path in the contract's form; null outside of the API. */
function routePathOf(path: string): string | null {
  if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  return rootPaths.includes(path) ? path : null;
}
