import type { RunningJob } from '../../work/worker.ts';
import { dropBlobs } from '../blobs.ts';
import type { Ctx } from '../ctx.ts';
import { blobsOf } from './attachments/store.ts';
import { deleteMails, mailsAfter } from './inbound/store/mails.ts';
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
      const names = [...mails.map(({ raw_blob: name }) => name), ...attached];
      await dropBlobs({ tx, ids, clock }, names);
      await deleteMails(tx, actor.accountId, mailIds);
      return true;
    });
    if (!left) break;
    await job.progress(0.5);
  }
}
