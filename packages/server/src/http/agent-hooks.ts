import { limits } from '@mneme/contract';
import type { FastifyInstance } from 'fastify';
import { createHookService } from '../agent-hooks/index.ts';
import type { App } from '../domains/ctx.ts';
import type { Handler } from '../domains/handler.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import {
  type AdmissionRoute,
  authenticateRequest,
  runAdmittedRequest,
} from './authenticate-request.ts';
import { toAppError } from './errors.ts';
import { jsonMediaType } from './media-type.ts';
import { refuseOtherMethods } from './post-only.ts';
import { readWholeBodies } from './whole-json-bodies.ts';

const path = '/hooks/claude-code';

/** Any key may call; each route that an event runs checks its scope and its limit. */
const hookRoute: AdmissionRoute = {
  id: 'hooks.claude_code',
  access: 'any',
  method: 'POST',
  path,
  countsOwnWrites: true,
  checksUserTokens: true,
};

/** Serves the HTTP hooks of coding agents, admitted and limited like the routes of the API. */
export async function serveAgentHooks(
  server: FastifyInstance,
  app: App,
  handlers: readonly Handler[],
): Promise<void> {
  const service = createHookService(app, handlers, toAppError);
  await server.register((scope, _options, done) => {
    readWholeBodies(scope);
    scope.route({
      method: 'POST',
      url: path,
      bodyLimit: limits.mcpBodyBytesMax,
      config: { bodyTypes: [jsonMediaType] },
      onRequest: (request, reply) => authenticateRequest(app, hookRoute, request, reply),
      handler: (request, reply) =>
        runAdmittedRequest(request, reply, {
          run: (actor) =>
            runForAccount(actor.accountId, () =>
              service.handle({ ...app, actor, requestId: request.id }, request),
            ),
          isStreamed: () => false,
        }),
    });
    refuseOtherMethods(scope, path);
    done();
  });
}
