import { limits, type Route } from '@mneme/contract';
import { z } from 'zod';
import type { App, Ctx } from '../domains/ctx.ts';
import type { Handler } from '../domains/handler.ts';
import { AppError } from '../kernel/errors.ts';
import { validate } from '../kernel/validate.ts';
import { createRouteCaller } from '../mcp/call-route.ts';
import { limitToSpace } from '../mcp/space-argument.ts';
import { type HookAnswer, handleClaudeCodeEvent } from './claude-code.ts';

const querySchema = z.strictObject({
  space: z.string().min(1).max(limits.nameCharactersMax).optional(),
  max_tokens: z.coerce
    .number()
    .int()
    .min(limits.hookTokensMin)
    .max(limits.hookTokensMax)
    .default(limits.hookTokensDefault),
});

interface HookRequest {
  readonly query: unknown;
  readonly body: unknown;
}

export interface HookService {
  /**
   * Throws 404 space_not_found and 403 space_access_denied for the space of the URL, and 422
   * validation_error; clients go on after any error.
   */
  handle(ctx: Ctx, request: HookRequest): Promise<HookAnswer>;
}

/** The events of coding agents, as routes of the API within one admitted request. */
export function createHookService(
  app: App,
  handlers: readonly Handler[],
  toAppError: (error: unknown) => AppError,
): HookService {
  const byRoute = new Map<Route, Handler>(
    handlers.filter((one) => !one.handlesForm).map((handler) => [handler.route, handler]),
  );
  return {
    async handle(requestCtx, { query, body }) {
      const { space, max_tokens: tokensMax } = validate(querySchema, query);
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw new AppError('invalid_request', { message: 'The body must be one event.' });
      }
      const limited = space === undefined ? requestCtx : await limitToSpace(requestCtx, space);
      const ctx: Ctx = { ...limited, client: 'claude-code' };
      const startedMs = app.clock.monotonicMs();
      const answer = await handleClaudeCodeEvent({
        ctx,
        callRoute: createRouteCaller(ctx, byRoute),
        toAppError,
        body: body as Record<string, unknown>,
        tokensMax,
      });
      const ms = Math.round(app.clock.monotonicMs() - startedMs);
      app.log.info({ reqId: ctx.requestId, program: ctx.client, ms }, 'agent hook handled');
      return answer;
    },
  };
}
