import { type Owner, parseId, searchBody } from '@mneme/contract';
import type { Ctx, TxCtx } from '../../ctx.ts';
import { memoriesById, memoriesInTx, softDeleteMemory } from '../../memories/index.ts';
import { search } from '../../search/index.ts';
import { isOwnedBy, toOwnerFields } from '../owner.ts';
import { hashConfirmationCode } from './content.ts';
import { excerpt } from './reply-texts.ts';
import {
  countWrongConfirmationCode,
  insertConfirmation,
  lockOpenConfirmations,
  markConfirmationUsed,
} from './store/confirmations.ts';
import type { InboundMailRecord } from './store/mails.ts';

const codeCharacters = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';
const codeLength = 10;
const codePattern = /^[A-HJKMNP-TV-Z0-9]{10}$/i;
const validMs = 86_400_000;
const attemptsMax = 5;

export const isConfirmationCode = (text: string): boolean => codePattern.test(text.trim());

/** Finds the memory to delete by its id or by a search, among those of the owner. */
export async function findMemoryToForget(
  ctx: Ctx,
  text: string,
  { spaceId, owner }: { readonly spaceId: string | undefined; readonly owner: Owner },
): Promise<{ id: string; content: string } | null> {
  const q = text.slice(0, 1_000);
  const id = parseId(q, 'memory');
  if (id !== null) {
    const memory = (await memoriesById(ctx, [id])).get(id);
    if (memory && isOwnedBy(owner, memory)) return { id, content: memory.content };
  }
  const { results } = await search(
    ctx,
    searchBody.parse({
      q,
      include: ['memories'],
      limit: 1,
      space_id: spaceId,
      ...toOwnerFields(owner),
    }),
  );
  const memory = results.find((result) => result.type === 'memory');
  return memory ? { id: memory.id, content: memory.content } : null;
}

/** Returns the confirmation code, of which only a hash is stored. */
export async function createForgetConfirmation(
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

export const forgetConfirmationText = (content: string): string =>
  [
    'This memory was found:',
    '',
    `  ${excerpt(content)}`,
    '',
    'To delete it, reply to this mail and keep the subject. The code is valid for one day.',
  ].join('\n');

/**
 * Soft-deletes the memory of a code, so that it can be restored. A code is valid once and only for
 * its sender, and for memories of the owner whom the mail has now. Returns the memory id; null if
 * the code is invalid. Throws as softDeleteMemory.
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
  const match = open.find(
    (confirmation) => confirmation.attempts < attemptsMax && hash.equals(confirmation.code_hash),
  );
  if (!match) {
    await countWrongConfirmationCode(tx, actor.accountId, mail.sender, now);
    return null;
  }
  await markConfirmationUsed(tx, match, now);
  const memories = await memoriesInTx(inTx, match.memory_ids);
  if ([...memories.values()].some((memory) => !isOwnedBy(mail, memory))) return null;
  for (const id of match.memory_ids) {
    await softDeleteMemory(inTx, id, { ifMatch: null, confirmed: true });
  }
  return match.memory_ids[0] ?? null;
}
