import { limits, type ParsedIntent, recallBody, searchBody } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { recallMemories, search } from '../../search/index.ts';
import { findSpaceIdsByName } from '../../spaces/index.ts';
import { suppressRecipient } from '../outbound/queue.ts';
import { toOwnerFields } from '../owner.ts';
import { replySubject } from './auto-reply.ts';
import { type CommandContext, type CommandResult, SilentRejection } from './command-context.ts';
import {
  confirmForget,
  createForgetConfirmation,
  findMemoryToForget,
  forgetConfirmationText,
  isConfirmationCode,
} from './forget.ts';
import { excerpt, helpText } from './reply-texts.ts';
import { storeAsMemory } from './store-as-memory.ts';

type CompleteMail = (inTx: TxCtx, result: CommandResult) => Promise<void>;
type CommandHandler = (
  ctx: Ctx,
  context: CommandContext,
  intent: ParsedIntent,
  complete: CompleteMail,
) => Promise<void>;

const resultsMax = 5;

/**
 * Executes the command of a mail. Each command completes the mail in the transaction of its effect,
 * so that a crash cannot separate them. Throws the AppError of a failed command.
 */
export function runCommand(
  ctx: Ctx,
  context: CommandContext,
  intent: ParsedIntent,
  complete: CompleteMail,
): Promise<void> {
  return commands[intent.command](ctx, context, intent, complete);
}

/** Returns undefined if the mail names no space. Throws 404 space_not_found. */
export async function resolveSpaceByName(
  ctx: Ctx,
  name: string | null,
): Promise<string | undefined> {
  if (name === null || name === 'default') return undefined;
  const ids = await findSpaceIdsByName(ctx.engine.db, ctx.actor.accountId, [name]);
  const id = ids.get(name);
  if (id !== undefined) return id;
  throw new AppError('space_not_found', { message: `There is no space "${name}".` });
}

const commands: Readonly<Record<ParsedIntent['command'], CommandHandler>> = {
  store: storeAsMemory,
  search: async (ctx, { mail, spaceId }, intent, complete) => {
    const q = queryText(intent);
    const request = {
      q,
      include: ['memories'],
      limit: resultsMax,
      space_id: spaceId,
      tags: tagsOf(intent),
      ...toOwnerFields(mail),
    };
    const { results, facets } = await search(ctx, searchBody.parse(request));
    const memories = results.filter((result) => result.type === 'memory');
    const lines = memories.map(({ content, id }, i) => `${i + 1}. ${excerpt(content)}\n   ${id}`);
    const head =
      results.length === 0
        ? `No memories found for: ${excerpt(q)}`
        : `${facets.memories} found for: ${excerpt(q)}`;
    const text = [head, ...lines].join('\n\n');
    const reply = { subject: replySubject(mail), text, memoryIds: memories.map(({ id }) => id) };
    await withTransaction(ctx, (inTx) => complete(inTx, { reply }));
  },
  recall: async (ctx, { mail, spaceId }, intent, complete) => {
    const query = queryText(intent);
    const scope = { space_id: spaceId, tags: tagsOf(intent), ...toOwnerFields(mail) };
    const { context, memories } = await recallMemories(ctx, recallBody.parse({ query, ...scope }));
    const text = context === '' ? `No memories found for: ${excerpt(query)}` : context;
    const reply = { subject: replySubject(mail), text, memoryIds: memories.map(({ id }) => id) };
    await withTransaction(ctx, (inTx) => complete(inTx, { reply }));
  },
  forget: async (ctx, context, intent, complete) => {
    const { mail, spaceId, isPersonal } = context;
    // An automatic reply must not confirm a deletion.
    if (!isPersonal)
      throw new SilentRejection('The command forget is not allowed in automatic mail.');
    if (isConfirmationCode(intent.content)) return confirm(ctx, context, intent.content, complete);
    const q = queryText(intent);
    const memory = await findMemoryToForget(ctx, q, { spaceId, owner: mail });
    await withTransaction(ctx, async (inTx) => {
      if (memory === null) {
        const text = `No memories found for: ${excerpt(q)}`;
        return complete(inTx, { reply: { subject: replySubject(mail), text } });
      }
      const code = await createForgetConfirmation(inTx, mail, memory.id);
      const text = forgetConfirmationText(memory.content);
      const reply = { subject: `forget: ${code}`, text, memoryIds: [memory.id] };
      return complete(inTx, { reply, memoryId: memory.id });
    });
  },
  help: (ctx, { mail }, _intent, complete) =>
    withTransaction(ctx, (inTx) =>
      complete(inTx, { reply: { subject: replySubject(mail), text: helpText } }),
    ),
  stop: async (ctx, { mail, isPersonal }, _intent, complete) => {
    if (!isPersonal)
      throw new SilentRejection('The command stop is not allowed in automatic mail.');
    const text = 'You are unsubscribed: you receive no more reactions and digests.';
    await withTransaction(ctx, async (inTx) => {
      await suppressRecipient(inTx, { email: mail.sender, reason: 'stop', detail: null });
      await complete(inTx, { reply: { subject: replySubject(mail), text } });
    });
  },
};

async function confirm(
  ctx: Ctx,
  { mail }: CommandContext,
  code: string,
  complete: CompleteMail,
): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const memoryId = await confirmForget(inTx, mail, code);
    if (memoryId === null) {
      const text = 'The confirmation code is unknown or expired. Nothing was deleted.';
      return complete(inTx, { reply: { subject: replySubject(mail), text }, failure: text });
    }
    const text = `Deleted: ${memoryId}\nThe memory can be restored until it is erased.`;
    return complete(inTx, { reply: { subject: replySubject(mail), text }, memoryId });
  });
}

function queryText({ content, command }: ParsedIntent): string {
  const words = [...content.trim()].slice(0, limits.searchQueryCharactersMax).join('').trim();
  if (words !== '') return words;
  throw new AppError('bad_request', {
    message: `Write the text of the query after "${command}:".`,
  });
}

const tagsOf = ({ metadata: { tags } }: ParsedIntent): string[] | undefined =>
  tags.length === 0 ? undefined : tags;
