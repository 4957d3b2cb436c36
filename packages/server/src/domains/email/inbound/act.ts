import { limits, type ParsedIntent, recallBody, searchBody } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { recall, search } from '../../search/index.ts';
import { findSpaceByName } from '../../spaces/index.ts';
import { suppress } from '../outbound/queue.ts';
import { answerTo } from './answer.ts';
import { askBack, askingText, confirmForget, findForgettable, looksLikeCode } from './forget.ts';
import { type Ending, type Reading, Unanswerable } from './reading.ts';
import { store } from './remember.ts';
import { excerpt, helpText } from './texts.ts';

type End = (inTx: TxCtx, ending: Ending) => Promise<void>;
type Command = (ctx: Ctx, reading: Reading, intent: ParsedIntent, end: End) => Promise<void>;

const foundMax = 5;

/**
 * Does what a mail asks for. Each command ends the mail in the transaction of its effect, so that
 * both are there after a crash, or neither. Throws the AppError that refuses it.
 */
export function act(ctx: Ctx, reading: Reading, intent: ParsedIntent, end: End): Promise<void> {
  return commands[intent.command](ctx, reading, intent, end);
}

/** The space that a mail names; undefined: none. Throws 404 space_not_found. */
export async function namedSpace(ctx: Ctx, name: string | null): Promise<string | undefined> {
  if (name === null || name === 'default') return undefined;
  const space = await findSpaceByName(ctx.engine.db, ctx.actor.accountId, name);
  if (space) return space.id;
  throw new AppError('space_not_found', { message: `There is no space "${name}".` });
}

const commands: Readonly<Record<ParsedIntent['command'], Command>> = {
  store,
  search: async (ctx, { mail, spaceId }, intent, end) => {
    const q = questionOf(intent);
    const asked = {
      q,
      include: ['memories'],
      limit: foundMax,
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
    const answer = { subject: answerTo(mail), text, memoryIds: memories.map(({ id }) => id) };
    await withTransaction(ctx, (inTx) => end(inTx, { answer }));
  },
  recall: async (ctx, { mail, spaceId }, intent, end) => {
    const query = questionOf(intent);
    const asked = { query, space_id: spaceId, tags: tagsOf(intent) };
    const { context, memories } = await recall(ctx, recallBody.parse(asked));
    const text = context === '' ? `Nothing is known of: ${excerpt(query)}` : context;
    const answer = { subject: answerTo(mail), text, memoryIds: memories.map(({ id }) => id) };
    await withTransaction(ctx, (inTx) => end(inTx, { answer }));
  },
  forget: async (ctx, reading, intent, end) => {
    const { mail, spaceId, isPersonal } = reading;
    // A program that answers by itself must not confirm what a person was asked.
    if (!isPersonal) throw new Unanswerable('Only a person may have something forgotten.');
    if (looksLikeCode(intent.content)) return confirm(ctx, reading, intent.content, end);
    const q = questionOf(intent);
    const found = await findForgettable(ctx, { ...intent, content: q }, spaceId);
    await withTransaction(ctx, async (inTx) => {
      if (found === null) {
        const text = `Nothing was found for: ${excerpt(q)}`;
        return end(inTx, { answer: { subject: answerTo(mail), text } });
      }
      const code = await askBack(inTx, mail, found.id);
      const text = askingText(found.content);
      const answer = { subject: `forget: ${code}`, text, memoryIds: [found.id] };
      return end(inTx, { answer, memoryId: found.id });
    });
  },
  help: (ctx, { mail }, _intent, end) =>
    withTransaction(ctx, (inTx) =>
      end(inTx, { answer: { subject: answerTo(mail), text: helpText } }),
    ),
  stop: async (ctx, { mail, isPersonal }, _intent, end) => {
    if (!isPersonal) throw new Unanswerable('Only a person may stop mails.');
    const text = 'No reactions and no digests are sent to you any more.';
    await withTransaction(ctx, async (inTx) => {
      await suppress(inTx, { email: mail.sender, reason: 'stop', detail: null });
      await end(inTx, { answer: { subject: answerTo(mail), text } });
    });
  },
};

async function confirm(ctx: Ctx, { mail }: Reading, code: string, end: End): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const memoryId = await confirmForget(inTx, mail, code);
    if (memoryId === null) {
      const text = 'That code is not known, or is over. Nothing was forgotten.';
      return end(inTx, { answer: { subject: answerTo(mail), text }, failure: text });
    }
    const text = `It is forgotten: ${memoryId}\nAs long as it is not erased it can be restored.`;
    return end(inTx, { answer: { subject: answerTo(mail), text }, memoryId });
  });
}

/** The words of the subject, or the body's where it has none. */
function questionOf({ content, command }: ParsedIntent): string {
  const words = [...content.trim()].slice(0, limits.searchQueryCharactersMax).join('').trim();
  if (words !== '') return words;
  throw new AppError('bad_request', { message: `"${command}:" needs words after it.` });
}

const tagsOf = ({ metadata: { tags } }: ParsedIntent): string[] | undefined =>
  tags.length === 0 ? undefined : tags;
