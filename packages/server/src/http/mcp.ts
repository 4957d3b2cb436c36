import { limits } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import type { Handler } from '../domains/handler.ts';
import { authenticateForResource, issuerOf, resourceOf } from '../domains/oauth/index.ts';
import { AppError, fieldError } from '../kernel/errors.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import {
  type CreateProtocolServer,
  createMcpService,
  type McpService,
  toToolProfile,
} from '../mcp/index.ts';
import {
  type AdmissionRoute,
  authenticateRequest,
  runAdmittedRequest,
} from './authenticate-request.ts';
import { toAppError } from './errors.ts';
import { jsonMediaType } from './media-type.ts';
import { withChallenge } from './oauth/challenge.ts';
import { refuseOtherMethods } from './post-only.ts';
import { readWholeBodies } from './whole-json-bodies.ts';

const paths = ['/mcp', '/mcp/:space'];

/** Any key may connect; each tool checks its scope, user tokens and the limit of its endpoint. */
const mcpRoute: AdmissionRoute = {
  id: 'mcp',
  access: 'any',
  method: 'POST',
  path: '/mcp',
  countsOwnWrites: true,
  checksUserTokens: true,
  /** Access tokens are for this URL alone. */
  authenticate: (app, credentials, request) => {
    const issuer = issuerOf(app.config);
    const { space } = request.params as { space?: string };
    const resource = issuer === null ? null : resourceOf(issuer, space);
    return authenticateForResource(app, credentials, resource);
  },
};

/**
 * Serves the Model Context Protocol at `/mcp`, and at `/mcp/{space}` limited to one space. Requests
 * are admitted, limited and authenticated like those of the API.
 */
export async function serveMcp(
  server: FastifyInstance,
  app: App,
  handlers: readonly Handler[],
  createProtocolServer?: CreateProtocolServer,
): Promise<void> {
  const service = createMcpService(app, handlers, toAppError, createProtocolServer);
  await server.register((scope, _options, done) => {
    readWholeBodies(scope);
    scope.setErrorHandler((error, request) => {
      throw withChallenge(app, request, toAppError(error));
    });
    for (const url of paths) {
      scope.route({
        method: 'POST',
        url,
        bodyLimit: limits.mcpBodyBytesMax,
        config: { bodyTypes: [jsonMediaType] },
        onRequest: (request, reply) => authenticateRequest(app, mcpRoute, request, reply),
        handler: async (request, reply) => {
          const response = await runAdmittedRequest(request, reply, {
            run: (actor) =>
              runForAccount(actor.accountId, () =>
                handle(service, { ...app, actor, requestId: request.id }, request),
              ),
            isStreamed: () => false,
          });
          return send(reply, response);
        },
      });
      // Streams and sessions of the 2025 protocols; clients go on without them.
      refuseOtherMethods(scope, url);
    }
    done();
  });
}

function handle(
  service: McpService,
  ctx: Parameters<McpService['handle']>[0]['ctx'],
  request: FastifyRequest,
): Promise<Response> {
  if (request.body === undefined) {
    // A batch is none: it would run several calls within one request of the rate limit.
    const message = 'The body must be one JSON-RPC message.';
    throw new AppError('invalid_request', { message });
  }
  const { space } = request.params as { space?: string };
  const profile = toToolProfile((request.query as { profile?: unknown }).profile);
  if (profile === null) {
    const message = 'must be openai, or be left out';
    throw fieldError('profile', { code: 'invalid_enum_value', message });
  }
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return service.handle({
    ctx,
    url: new URL(request.url, 'http://localhost').href,
    headers: Object.fromEntries(headers.filter(([name]) => !hopHeaders.has(name ?? ''))),
    message: request.body as Record<string, unknown>,
    space,
    profile,
  });
}

/** The protocol does not need them, and keys stay out of it. */
const hopHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'transfer-encoding',
  'x-api-key',
]);

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const headers = Object.fromEntries(response.headers);
  delete headers['content-length'];
  // It may be a list of tools: caches of the protocol follow its own hints.
  delete headers['cache-control'];
  return reply
    .code(response.status)
    .headers(headers)
    .send(await response.text());
}
