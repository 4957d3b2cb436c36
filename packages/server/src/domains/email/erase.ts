import type { RunningJob } from '../../jobs/job-worker.ts';
import { scheduleBlobRemoval } from '../blobs/index.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import {
  deleteAttachmentsOfMemories,
  listAttachmentBlobs,
} from './attachments/store/attachments.ts';
import { deleteMails, eraseInboundContent, mailsAfter } from './inbound/store/mails.ts';
import { eraseOutboundContent } from './outbound/store/outbound-mails.ts';
import { lockAllReactions } from './reactions/store/reactions.ts';
import { deleteAccountEmailRows } from './store/account-rows.ts';

const batchMails = 200;

/** Erases a deleted account: first its address, so that it receives no more mail; then mails. */
export async function eraseAccountEmail(ctx: Ctx, job: RunningJob): Promise<void> {
  const { engine, actor, clock, ids } = ctx;
  await deleteAccountEmailRows(engine.db, actor.accountId);
  for (;;) {
    const hasMore = await engine.transaction(async (tx) => {
      const mails = await mailsAfter(tx, actor.accountId, { after: null, limit: batchMails });
      if (mails.length === 0) return false;
      const mailIds = mails.map(({ id }) => id);
      const attached = await listAttachmentBlobs(tx, actor.accountId, mailIds);
      const names = [...mails.flatMap(({ raw_blob: name }) => name ?? []), ...attached];
      await scheduleBlobRemoval({ tx, ids, clock }, names);
      await deleteMails(tx, actor.accountId, mailIds);
      return true;
    });
    if (!hasMore) break;
    await job.saveProgress(0.5);
  }
}

/** `eventIds`: events about erased memories; `causeIds`: erased reactions and digests. */
type ErasureIds = 'memoryIds' | 'eventIds' | 'causeIds';

/**
 * Removes erased memories from inbound mail, outbound mail and attachments. The transaction that
 * redacted their events must have committed.
 */
export async function eraseMailContent(
  inTx: TxCtx,
  { memoryIds, eventIds, causeIds }: Readonly<Record<ErasureIds, readonly string[]>>,
): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const { mailIds, blobs } = await eraseInboundContent(tx, accountId, memoryIds);
  const attached = await deleteAttachmentsOfMemories(tx, accountId, memoryIds);
  await lockAllReactions(tx, accountId);
  await eraseOutboundContent(tx, accountId, { memoryIds, mailIds, eventIds, causeIds });
  await scheduleBlobRemoval(inTx, [...blobs, ...attached]);
}
