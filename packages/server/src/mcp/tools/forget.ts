import { routes } from '@mneme/contract';
import { recordAuditEntry } from '../../domains/accounts/index.ts';
import type { Ctx } from '../../domains/ctx.ts';
import { AppError } from '../../kernel/errors.ts';
import { memoryIds, readArguments, toInputSchema } from '../arguments.ts';
import { type McpTool, structuredResult } from '../tool.ts';
import { describeError } from '../tool-error.ts';

const idsMax = 50;
const fields = { ids: memoryIds(idsMax) };

export const forget: McpTool = {
  name: 'forget',
  scope: 'memories:write',
  description:
    'Delete memories by id, when the user asks for it or they are wrong. A person can restore ' +
    'them.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: toInputSchema(fields),
  outputSchema: {
    type: 'object',
    properties: {
      forgotten: { type: 'array', items: { type: 'string' } },
      failed: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['forgotten'],
  },
  acceptsSpace: false,
  async run({ ctx, callRoute }, sent) {
    const example = { ids: ['019b8d1c-0000-7000-8000-000000000001'] };
    const { ids } = readArguments('forget', fields, example, sent);
    const forgotten: string[] = [];
    const failed: Record<string, string> = {};
    for (const id of ids) {
      try {
        const input = { params: { id }, query: { soft: true } };
        await callRoute(routes.memories.remove, input, { beforeCommit: auditRemoval(ctx, id) });
        forgotten.push(id);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        failed[id] = describeError(error);
      }
    }
    const problems = Object.entries(failed).map(([id, message]) => `[${id}] ${message}`);
    const lines = [...(forgotten.length > 0 ? [`Forgot ${forgotten.length}.`] : []), ...problems];
    const result = structuredResult(lines.join('\n'), {
      forgotten,
      ...(problems.length > 0 ? { failed } : {}),
    });
    return problems.length > 0 ? { ...result, isError: true } : result;
  },
};

/** Records the removal in its transaction. */
const auditRemoval =
  (ctx: Ctx, id: string): NonNullable<Ctx['beforeCommit']> =>
  async (tx) => {
    await recordAuditEntry(
      { ...ctx, tx },
      {
        action: 'mcp.forgotten',
        accountId: ctx.actor.accountId,
        targetId: id,
        details: ctx.client === undefined ? {} : { client: ctx.client },
      },
    );
  };
