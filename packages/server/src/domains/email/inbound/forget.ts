import { type ParsedIntent, parseId, searchBody } from '@mneme/contract';
import type { Ctx, TxCtx } from '../../ctx.ts';
import { memoriesById, softDelete } from '../../memories/index.ts';
import { search } from '../../search/index.ts';
import { hashConfirmationCode } from './content.ts';
import { excerpt } from './reply-texts.ts';
import {
  countAttempt,
  insertConfirmation,
  lockOpenConfirmations,
  useConfirmation,
} from './store/confirmations.ts';
import type { InboundMailRecord } from './store/mails.ts';

const codeCharacters = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';
const codeLength = 10;
const codePattern = /^[A-HJKMNP-TV-Z0-9]{10}$/i;
const validMs = 86_400_000;
const attemptsMax = 5;

export const isConfirmationCode = (text: string): boolean => codePattern.test(text.trim());

/** What was found to be forgotten; null: nothing. */
export async function findMemoryToForget(
  ctx: Ctx,
  intent: ParsedIntent,
  spaceId: string | null | undefined,
): Promise<{ id: string; content: string } | null> {
  const q = intent.content.slice(0, 1_000);
  const id = parseId(q, 'memory');
  if (id !== null) {
    const named = (await memoriesById(ctx, [id])).get(id);
    if (named) return { id, content: named.content };
  }
  const { results } = await search(
    ctx,
    searchBody.parse({ q, include: ['memories'], limit: 1, space_id: spaceId }),
  );
  const found = results.find((result) => result.type === 'memory');
  return found ? { id: found.id, content: found.content } : null;
}

/** Returns the code that confirms it; of the code only a hash is kept. */
export async function createConfirmation(
  { tx, actor, ids, clock }: TxCtx,
  mail: InboundMailRecord,
  memoryId: string,
): Promise<string> {
  const code = [...ids.bytes(codeLength)]
    .map((byte) => codeCharacters[byte % codeCharacters.length])
    .join('');
  await insertConfirmation(tx, {
    account_id: actor.accountId,
    id: ids.uuid(),
    mail_id: mail.id,
    sender: mail.sender,
    code_hash: hashConfirmationCode(code),
    memory_ids: [memoryId],
    expires_at: new Date(clock.now().getTime() + validMs),
  });
  return code;
}

export const confirmationText = (content: string): string =>
  [
    'This memory was found:',
    '',
    `  ${excerpt(content)}`,
    '',
    'Answer this mail as it is, with its subject, and it is forgotten. The code is good for a day.',
  ].join('\n');

/**
 * Forgets what the code was made for: softly, so that it can be restored. A code is good once, and
 * for the sender who asked; null where it is none. Throws what a delete throws.
 */
export async function confirmForget(
  inTx: TxCtx,
  mail: InboundMailRecord,
  code: string,
): Promise<string | null> {
  const { tx, actor, clock } = inTx;
  const now = clock.now();
  const open = await lockOpenConfirmations(tx, actor.accountId, mail.sender, now);
  const hash = Buffer.from(hashConfirmationCode(code.trim()));
  const match = open.find((one) => one.attempts < attemptsMax && hash.equals(one.code_hash));
  if (!match) {
    await countAttempt(tx, actor.accountId, mail.sender, now);
    return null;
  }
  await useConfirmation(tx, match, now);
  for (const id of match.memory_ids) {
    await softDelete(inTx, id, { ifMatch: null, confirmed: true });
  }
  return match.memory_ids[0] ?? null;
}
