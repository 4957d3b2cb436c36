import { limits } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../domains/ctx.ts';
import {
  exchangeForTokens,
  issuerOf,
  OAuthError,
  registerClient,
  revokeToken,
} from '../../domains/oauth/index.ts';
import { clientNetwork } from '../../kernel/client-network.ts';
import { AppError } from '../../kernel/errors.ts';
import { type AdmissionRoute, authenticateRequest } from '../authenticate-request.ts';
import { toAppError } from '../errors.ts';
import { jsonMediaType } from '../media-type.ts';
import { jsonContentType } from '../response.ts';
import { readWholeBodies } from '../whole-json-bodies.ts';
import { sendPageError, serveAuthorizationPages } from './authorize.ts';
import { formMediaType, readFormBodies, singleFieldsOf } from './form-body.ts';
import {
  authorizationServerMetadata,
  authorizationServerPath,
  protectedResourceMetadata,
  protectedResourcePath,
} from './metadata.ts';

type OAuthHandler = (
  issuer: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;

interface OAuthRoute {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The type of the body. */
  readonly bodyType?: string;
  /** Clients in a browser call it from their own origin. */
  readonly allowsEveryOrigin?: boolean;
}

/** Serves OAuth for MCP clients: metadata, pages and tokens. All of it is 404 without an issuer. */
export async function serveOAuth(server: FastifyInstance, app: App): Promise<void> {
  await server.register((scope, _options, done) => {
    readFormBodies(scope);
    scope.setErrorHandler((error, _request, reply) => sendPageError(reply, error));
    serveAuthorizationPages(app, (method, url, handler) =>
      addRoute(scope, app, { method, url, bodyType: formMediaType }, handler),
    );
    done();
  });
  await server.register((scope, _options, done) => {
    readFormBodies(scope);
    readWholeBodies(scope);
    scope.setErrorHandler((error, _request, reply) => sendTokenError(reply, error));
    serveMetadata(scope, app);
    serveTokens(scope, app);
    done();
  });
}

function serveMetadata(scope: FastifyInstance, app: App): void {
  const open = { method: 'GET', allowsEveryOrigin: true } as const;
  for (const path of ['', '/mcp', '/mcp/:space']) {
    const url = `${protectedResourcePath}${path}`;
    addRoute(scope, app, { ...open, url }, async (issuer, { params }) =>
      protectedResourceMetadata(issuer, (params as { space?: string }).space),
    );
  }
  addRoute(scope, app, { ...open, url: authorizationServerPath }, async (issuer) =>
    authorizationServerMetadata(issuer, app.config),
  );
}

function serveTokens(scope: FastifyInstance, app: App): void {
  const open = { method: 'POST', bodyType: formMediaType, allowsEveryOrigin: true } as const;
  addRoute(scope, app, { ...open, url: '/oauth/token' }, async (issuer, request) =>
    exchangeForTokens({ ...app, requestId: request.id }, issuer, singleFieldsOf(request)),
  );
  addRoute(scope, app, { ...open, url: '/oauth/revoke' }, async (_issuer, request) => {
    await revokeToken({ ...app, requestId: request.id }, singleFieldsOf(request));
    return {};
  });
  const registration = { ...open, bodyType: jsonMediaType, url: '/oauth/register' };
  addRoute(scope, app, registration, async (_issuer, { body, ip }, reply) => {
    reply.code(201);
    return registerClient(app, body, clientNetwork(ip ?? ''));
  });
}

function addRoute(
  scope: FastifyInstance,
  app: App,
  { method, url, bodyType, allowsEveryOrigin = false }: OAuthRoute,
  handler: OAuthHandler,
): void {
  const route: AdmissionRoute = { id: 'oauth', access: 'public', method, path: url };
  const config = {
    isPublic: true,
    allowsEveryOrigin,
    ...(bodyType ? { bodyTypes: [bodyType] } : {}),
  };
  scope.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url,
    bodyLimit: limits.publicBodyBytesMax,
    config,
    onRequest: async (request, reply) => {
      requireIssuer(app);
      await authenticateRequest(app, route, request, reply);
    },
    handler: async (request, reply) => {
      const result = await handler(requireIssuer(app), request, reply);
      return reply.sent || result === reply ? reply : reply.type(jsonContentType).send(result);
    },
  });
  if (!allowsEveryOrigin) return;
  scope.options(url, { config: { allowsEveryOrigin } }, async (_request, reply) =>
    reply.code(204).headers(preflightHeaders(method)).send(),
  );
}

const preflightHeaders = (method: string): Record<string, string> => ({
  allow: `${method}, OPTIONS`,
  'access-control-allow-methods': method,
  'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'access-control-max-age': '600',
});

/** Throws 404 not_found if the service offers no OAuth. */
function requireIssuer({ config }: App): string {
  const issuer = issuerOf(config);
  if (issuer !== null) return issuer;
  const message =
    'OAuth is off. Set MNEME_PUBLIC_URL to the https URL of this service, without a path; http ' +
    'is possible for a loopback address only.';
  throw new AppError('not_found', { message });
}

/** Errors in the form of RFC 6749; failures of the service, and without OAuth, in its own. */
function sendTokenError(reply: FastifyReply, thrown: unknown): FastifyReply {
  if (thrown instanceof OAuthError) {
    const { code, status, message } = thrown;
    return sendError(reply, status, { error: code, error_description: message });
  }
  const error = toAppError(thrown);
  if (error.status >= 500 || error.status === 404) throw thrown;
  const code = error.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  reply.headers(error.headers);
  return sendError(reply, error.status, { error: code, error_description: error.message });
}

const sendError = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type(jsonContentType).send(body);
