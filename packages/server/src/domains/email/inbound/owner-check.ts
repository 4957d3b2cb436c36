import { type Owner, ownerNames } from '@mneme/contract';
import type { Tx } from '../../../database/index.ts';
import type { ConsistencyCheck, Inconsistency } from '../../consistency-check.ts';
import { withTransaction } from '../../ctx.ts';
import { findLinkTargets, type LinkTarget } from '../../memories/index.ts';
import { isOwnedBy } from '../owner.ts';
import { type LinkedMail, linkedMailsAfter, lockLinkedMails } from './store/linked-mails.ts';
import { updateMail } from './store/mails.ts';

const batchMails = 500;

/**
 * The memories that a mail and its attachments became have the owner of the mail, and a command
 * acts on a memory of its owner.
 */
export const mailOwnerCheck: ConsistencyCheck = {
  name: 'mail_owners',
  async read({ actor: { accountId } }, tx, after) {
    const mails = await linkedMailsAfter(tx, accountId, after, batchMails);
    const memories = await findMemories(tx, accountId, mails);
    return {
      rows: mails.length,
      next: mails.length < batchMails ? null : (mails.at(-1)?.id ?? null),
      compare: () => mails.flatMap((mail) => findDifference(mail, memories)),
    };
  },
  /** A memory keeps its owner for ever: the mail that became it has the same one. */
  async repair(ctx, inconsistencies) {
    const { accountId } = ctx.actor;
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    return withTransaction(ctx, async ({ tx }) => {
      const repaired = new Set<string>();
      const mails = await lockLinkedMails(tx, accountId, ids);
      const memories = await findMemories(tx, accountId, mails);
      for (const mail of mails) {
        const [owner, ...others] = ownersOfMemories(mail, memories);
        if (owner === undefined || others.length > 0) continue;
        const { user_id, agent_id, run_id } = owner;
        // What a command did to a memory of another owner stays as it is.
        if (findDifference({ ...mail, user_id, agent_id, run_id }, memories).length > 0) continue;
        await updateMail(tx, { account_id: accountId, id: mail.id }, { user_id, agent_id, run_id });
        repaired.add(mail.id);
      }
      return repaired;
    });
  },
};

type Memories = ReadonlyMap<string, LinkTarget>;

async function findMemories(
  tx: Tx,
  accountId: string,
  mails: readonly LinkedMail[],
): Promise<Memories> {
  const ids = mails.flatMap((mail) => [mail.response_memory_id ?? [], mail.attached_memory_ids]);
  const targets = await findLinkTargets(tx, accountId, ids.flat());
  return new Map(targets.map((memory) => [memory.id, memory]));
}

/** The owners of the memories that the mail and its attachments became, each once. */
function ownersOfMemories(mail: LinkedMail, memories: Memories): Owner[] {
  const own = mail.command === 'store' ? [mail.response_memory_id ?? []].flat() : [];
  const owners = [...own, ...mail.attached_memory_ids].flatMap((id) => memories.get(id) ?? []);
  return owners.filter((owner, at) => owners.findIndex((one) => isSame(one, owner)) === at);
}

const isSame = (one: Owner, other: Owner): boolean =>
  ownerNames.every((name) => one[name] === other[name]);

function findDifference(mail: LinkedMail, memories: Memories): Inconsistency[] {
  const { id } = mail;
  if (ownersOfMemories(mail, memories).some((owner) => !isSame(owner, mail))) {
    const message = 'the mail has another owner than a memory that it became';
    return [{ code: 'owner_differs', id, message }];
  }
  const affected = memories.get(mail.response_memory_id ?? '');
  if (affected === undefined || isOwnedBy(mail, affected)) return [];
  const message = 'the command of the mail acted on a memory of another owner';
  return [{ code: 'owner_exceeded', id, message }];
}
