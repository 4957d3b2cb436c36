import { limits, type ParsedIntent, recallBody, searchBody } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { recall, search } from '../../search/index.ts';
import { findSpaceByName } from '../../spaces/index.ts';
import { suppress } from '../outbound/queue.ts';
import { replySubject } from './auto-reply.ts';
import { type CommandContext, type CommandResult, SilentRejection } from './command-context.ts';
import {
  confirmationText,
  confirmForget,
  createConfirmation,
  findMemoryToForget,
  isConfirmationCode,
} from './forget.ts';
import { excerpt, helpText } from './reply-texts.ts';
import { storeAsMemory } from './store-as-memory.ts';

type CompleteMail = (inTx: TxCtx, ending: CommandResult) => Promise<void>;
type CommandHandler = (
  ctx: Ctx,
  reading: CommandContext,
  intent: ParsedIntent,
  end: CompleteMail,
) => Promise<void>;

const resultsMax = 5;

/**
 * Does what a mail asks for. Each command ends the mail in the transaction of its effect, so that
 * both are there after a crash, or neither. Throws the AppError that refuses it.
 */
export function runCommand(
  ctx: Ctx,
  reading: CommandContext,
  intent: ParsedIntent,
  end: CompleteMail,
): Promise<void> {
  return commands[intent.command](ctx, reading, intent, end);
}

/** The space that a mail names; undefined: none. Throws 404 space_not_found. */
export async function resolveSpace(ctx: Ctx, name: string | null): Promise<string | undefined> {
  if (name === null || name === 'default') return undefined;
  const space = await findSpaceByName(ctx.engine.db, ctx.actor.accountId, name);
  if (space) return space.id;
  throw new AppError('space_not_found', { message: `There is no space "${name}".` });
}

const commands: Readonly<Record<ParsedIntent['command'], CommandHandler>> = {
  store: storeAsMemory,
  search: async (ctx, { mail, spaceId }, intent, end) => {
    const q = queryText(intent);
    const asked = {
      q,
      include: ['memories'],
      limit: resultsMax,
      space_id: spaceId,
      tags: tagsOf(intent),
    };
    const { results, facets } = await search(ctx, searchBody.parse(asked));
    const memories = results.filter((result) => result.type === 'memory');
    const lines = memories.map(({ content, id }, i) => `${i + 1}. ${excerpt(content)}\n   ${id}`);
    const head =
      results.length === 0
        ? `Nothing was found for: ${excerpt(q)}`
        : `${facets.memories} found for: ${excerpt(q)}`;
    const text = [head, ...lines].join('\n\n');
    const answer = { subject: replySubject(mail), text, memoryIds: memories.map(({ id }) => id) };
    await withTransaction(ctx, (inTx) => end(inTx, { reply: answer }));
  },
  recall: async (ctx, { mail, spaceId }, intent, end) => {
    const query = queryText(intent);
    const asked = { query, space_id: spaceId, tags: tagsOf(intent) };
    const { context, memories } = await recall(ctx, recallBody.parse(asked));
    const text = context === '' ? `Nothing is known of: ${excerpt(query)}` : context;
    const answer = { subject: replySubject(mail), text, memoryIds: memories.map(({ id }) => id) };
    await withTransaction(ctx, (inTx) => end(inTx, { reply: answer }));
  },
  forget: async (ctx, reading, intent, end) => {
    const { mail, spaceId, isPersonal } = reading;
    // A program that answers by itself must not confirm what a person was asked.
    if (!isPersonal) throw new SilentRejection('Only a person may have something forgotten.');
    if (isConfirmationCode(intent.content)) return confirm(ctx, reading, intent.content, end);
    const q = queryText(intent);
    const found = await findMemoryToForget(ctx, { ...intent, content: q }, spaceId);
    await withTransaction(ctx, async (inTx) => {
      if (found === null) {
        const text = `Nothing was found for: ${excerpt(q)}`;
        return end(inTx, { reply: { subject: replySubject(mail), text } });
      }
      const code = await createConfirmation(inTx, mail, found.id);
      const text = confirmationText(found.content);
      const answer = { subject: `forget: ${code}`, text, memoryIds: [found.id] };
      return end(inTx, { reply: answer, memoryId: found.id });
    });
  },
  help: (ctx, { mail }, _intent, end) =>
    withTransaction(ctx, (inTx) =>
      end(inTx, { reply: { subject: replySubject(mail), text: helpText } }),
    ),
  stop: async (ctx, { mail, isPersonal }, _intent, end) => {
    if (!isPersonal) throw new SilentRejection('Only a person may stop mails.');
    const text = 'No reactions and no digests are sent to you any more.';
    await withTransaction(ctx, async (inTx) => {
      await suppress(inTx, { email: mail.sender, reason: 'stop', detail: null });
      await end(inTx, { reply: { subject: replySubject(mail), text } });
    });
  },
};

async function confirm(
  ctx: Ctx,
  { mail }: CommandContext,
  code: string,
  end: CompleteMail,
): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const memoryId = await confirmForget(inTx, mail, code);
    if (memoryId === null) {
      const text = 'That code is not known, or is over. Nothing was forgotten.';
      return end(inTx, { reply: { subject: replySubject(mail), text }, failure: text });
    }
    const text = `It is forgotten: ${memoryId}\nAs long as it is not erased it can be restored.`;
    return end(inTx, { reply: { subject: replySubject(mail), text }, memoryId });
  });
}

/** The words of the subject, or the body's where it has none. */
function queryText({ content, command }: ParsedIntent): string {
  const words = [...content.trim()].slice(0, limits.searchQueryCharactersMax).join('').trim();
  if (words !== '') return words;
  throw new AppError('bad_request', { message: `"${command}:" needs words after it.` });
}

const tagsOf = ({ metadata: { tags } }: ParsedIntent): string[] | undefined =>
  tags.length === 0 ? undefined : tags;
