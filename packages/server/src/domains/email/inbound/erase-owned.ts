import type { OwnerFilter } from '@mneme/contract';
import { recordErasures } from '../../../instance/erasure-ledger.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type Ctx, type TxCtx, visibilityOf, withTransaction } from '../../ctx.ts';
import type { OwnedRecords } from '../../memories/index.ts';
import { evaluateSender } from '../senders/model.ts';
import { findSenderRules } from '../senders/store/sender-rules.ts';
import {
  type ClaimedSender,
  countOwnedMails,
  deleteMailsWithReplies,
  listMemoriesOfMailsSince,
  listUnprovenSenders,
  lockErasableMails,
  type OwnedMailFilter,
} from './store/owned-mails.ts';

/** The received mails of an owner, with those that a rule gives to it and nothing has proven. */
export const ownedMails: OwnedRecords = {
  async count(ctx, owner) {
    const filter = await toOwnedMailFilter(ctx, owner);
    return countOwnedMails(ctx.engine.db, ctx.actor.accountId, filter);
  },
  async erase(ctx, owner, { createdUntil, limit }) {
    const filter = { ...(await toOwnedMailFilter(ctx, owner)), createdUntil };
    return withTransaction(ctx, async (inTx) => {
      const ids = await lockErasableMails(inTx.tx, inTx.actor.accountId, filter, limit);
      await eraseMails(inTx, ids);
      return ids.length;
    });
  },
  listLaterMemories: ({ engine, actor }, owner, createdUntil) =>
    listMemoriesOfMailsSince(engine.db, actor.accountId, owner, createdUntil),
};

async function toOwnedMailFilter(ctx: Ctx, owner: OwnerFilter): Promise<OwnedMailFilter> {
  return { owner, claimed: await findClaimedSenders(ctx), visible: visibilityOf(ctx.actor) };
}

/** Senders whose mail would get an owner by the rules of now, if it were proven. */
async function findClaimedSenders({ engine, actor }: Ctx): Promise<ClaimedSender[]> {
  const rules = await findSenderRules(engine.db, actor.accountId);
  const hasOwner = ({ user_id, agent_id, run_id }: (typeof rules)[number]): boolean =>
    user_id !== null || agent_id !== null || run_id !== null;
  if (!rules.some(hasOwner)) return [];
  const senders = await listUnprovenSenders(engine.db, actor.accountId);
  return senders.flatMap((sender) => {
    const { rule } = evaluateSender(rules, sender);
    if (rule === null || !hasOwner(rule)) return [];
    const { user_id, agent_id, run_id } = rule;
    return [{ sender, user_id, agent_id, run_id }];
  });
}

async function eraseMails(inTx: TxCtx, mailIds: readonly string[]): Promise<string[]> {
  if (mailIds.length === 0) return [];
  const { ids, blobs } = await deleteMailsWithReplies(inTx.tx, inTx.actor.accountId, mailIds);
  await scheduleBlobRemoval(inTx, [...blobs]);
  await recordErasures(inTx, 'mail', ids);
  return [...ids];
}

/** Deletes a mail with what belongs to it; false if it does not exist. */
export const eraseMail = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => (await eraseMails(inTx, [id])).includes(id));
