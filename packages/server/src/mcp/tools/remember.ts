import { type CreatedMemory, type ResponseBody, routes } from '@mneme/contract';
import { recordAuditEntry } from '../../domains/accounts/index.ts';
import type { Ctx } from '../../domains/ctx.ts';
import { AppError } from '../../kernel/errors.ts';
import { readArguments, required, text, textList, time, toInputSchema } from '../arguments.ts';
import { requireWritableSpace, spaceArgument, toSpaceFields } from '../space-argument.ts';
import { type McpTool, structuredResult } from '../tool.ts';

const fields = {
  content: required(text('One self-contained fact: names instead of pronouns')),
  tags: textList(),
  when: time('When it happened, if not now'),
};
const sendable = { ...fields, space: spaceArgument };

const ids = { type: 'array', items: { type: 'string' } };

export const remember: McpTool = {
  name: 'remember',
  scope: 'memories:write',
  description:
    'Store something worth knowing later: preferences, decisions, facts about people and ' +
    'projects. Call it when the user states or corrects such a thing. Not for secrets. A ' +
    'duplicate returns the existing id.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: toInputSchema(fields),
  outputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      existed: { type: 'boolean' },
      supersedes: ids,
      may_supersede: ids,
    },
    required: ['id', 'existed'],
  },
  acceptsSpace: true,
  async run({ ctx, callRoute }, sent) {
    const example = { content: 'Ana prefers tea over coffee.' };
    const args = readArguments('remember', sendable, example, sent);
    const space = await requireWritableSpace(ctx, args.space);
    const body = {
      content: args.content,
      tags: args.tags,
      occurred_at: args.when?.toISOString(),
      metadata: originOf(ctx),
      ...toSpaceFields(space),
    };
    try {
      return presentCreated(
        await callRoute(routes.memories.create, { body }, { beforeCommit: auditCreate(ctx) }),
      );
    } catch (error) {
      const id =
        error instanceof AppError && error.code === 'duplicate_memory' && existingId(error);
      if (!id) throw error;
      return structuredResult(`Already stored as [${id}].`, { id, existed: true });
    }
  },
};

/** Says in the memory, and so in its events, which program stored it. */
const originOf = ({ client }: Ctx): Record<string, string> => ({
  source: 'mcp',
  ...(client === undefined ? {} : { client }),
});

const existingId = ({ details }: AppError): string | null =>
  (details?.memory_id as string | null | undefined) ?? null;

/** Records the write in the transaction of the memory. */
const auditCreate =
  (ctx: Ctx): NonNullable<Ctx['beforeCommit']> =>
  async (tx, reply) => {
    const { body } = reply as { body: CreatedMemory };
    await recordAuditEntry(
      { ...ctx, tx },
      {
        action: 'mcp.remembered',
        accountId: ctx.actor.accountId,
        targetId: body.id,
        details: ctx.client === undefined ? {} : { client: ctx.client },
      },
    );
  };

function presentCreated({ id, possible_updates }: ResponseBody<typeof routes.memories.create>) {
  const idsOf = (applied: boolean): string[] =>
    possible_updates.filter((one) => one.applied === applied).map(({ memory_id }) => memory_id);
  const [supersedes, mayOutdate] = [idsOf(true), idsOf(false)];
  const text = [
    `Stored as [${id}].`,
    ...(supersedes.length > 0 ? [`It supersedes ${listIds(supersedes)}.`] : []),
    ...(mayOutdate.length > 0
      ? [`It may outdate ${listIds(mayOutdate)}: read them, and forget what is wrong.`]
      : []),
  ].join(' ');
  return structuredResult(text, { id, existed: false, supersedes, may_supersede: mayOutdate });
}

const listIds = (all: readonly string[]): string => all.map((id) => `[${id}]`).join(', ');
