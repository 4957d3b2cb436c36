import type { RunningJob } from '../../work/worker.ts';
import { dropBlobs } from '../blobs.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { blobsOf, deleteAttachmentsOf } from './attachments/store.ts';
import { deleteMails, emptyMails, mailsAfter } from './inbound/store/mails.ts';
import { emptyOutbound } from './outbound/store.ts';
import { lockAllReactions } from './reactions/store.ts';
import { deleteSettings } from './store.ts';

const stepMails = 200;

/** All of a deleted account: its address at once, so that nothing more is taken; then its mails. */
export async function eraseAccountEmail(ctx: Ctx, job: RunningJob): Promise<void> {
  const { engine, actor, clock, ids } = ctx;
  await deleteSettings(engine.db, actor.accountId);
  for (;;) {
    const left = await engine.transaction(async (tx) => {
      const mails = await mailsAfter(tx, actor.accountId, { after: null, limit: stepMails });
      if (mails.length === 0) return false;
      const mailIds = mails.map(({ id }) => id);
      const attached = await blobsOf(tx, actor.accountId, mailIds);
      const names = [...mails.flatMap(({ raw_blob: name }) => name ?? []), ...attached];
      await dropBlobs({ tx, ids, clock }, names);
      await deleteMails(tx, actor.accountId, mailIds);
      return true;
    });
    if (!left) break;
    await job.progress(0.5);
  }
}

/** `eventIds`: events about what was erased; `causeIds`: erased reactions and digests. */
type Erased = 'memoryIds' | 'eventIds' | 'causeIds';

/**
 * Removes the content of what was erased from mail: in, out, and attached. The transaction that
 * emptied the events about them must have committed.
 */
export async function emptyMail(
  inTx: TxCtx,
  { memoryIds, eventIds, causeIds }: Readonly<Record<Erased, readonly string[]>>,
): Promise<void> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const { mailIds, blobs } = await emptyMails(tx, accountId, memoryIds);
  const attached = await deleteAttachmentsOf(tx, accountId, memoryIds);
  await lockAllReactions(tx, accountId);
  await emptyOutbound(tx, accountId, { memoryIds, mailIds, eventIds, causeIds });
  await dropBlobs(inTx, [...blobs, ...attached]);
}
