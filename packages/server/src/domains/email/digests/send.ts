import { isSuspended } from '../../../work/delivery-pause.ts';
import type { RunningJob } from '../../../work/worker.ts';
import { again, JobRefused } from '../../../work/worker.ts';
import { type App, mayUse, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { countOfPeriod, memoriesOfPeriod, type Period } from '../../memories/index.ts';
import { queueMail } from '../outbound/queue.ts';
import { unaskedHeaders, unsubscribeUrl } from '../outbound/unsubscribe.ts';
import { recipientsOf } from '../recipients.ts';
import { type DigestContent, digestHtml, digestSubject, digestText } from './compose.ts';
import type { DigestRecord } from './model.ts';
import { nextRun, periodsOver } from './schedule.ts';
import {
  type DigestPlace,
  findDueDigests,
  holdDueDigest,
  lockDigest,
  updateDigestRow,
} from './store.ts';

export const dueDigestsKind = 'email.due_digests';
export const sendDigestKind = 'email.send_digest';

const batch = 100;

/** Job: the digests whose period is over, those of any account. */
export async function sendDueDigests(app: App, job: RunningJob): Promise<typeof again | undefined> {
  const failed = new Set<string>();
  for (;;) {
    const due = await findDueDigests(app.engine.db, app.clock.now(), batch + failed.size);
    const places = due.filter(({ digestId }) => !failed.has(digestId));
    if (places.length === 0) break;
    for (const place of places) {
      if (job.turnIsOver()) return again;
      // Held by another, or failed: not looked at again in this run.
      if (!(await sentDue(app, place))) failed.add(place.digestId);
    }
  }
  return undefined;
}

/** One that fails holds up no other: it is tried again with the next run. */
async function sentDue(app: App, place: DigestPlace): Promise<boolean> {
  try {
    return await sendDue(app, place);
  } catch (error) {
    app.log.error({ err: error, digest: place.digestId }, 'a digest was not sent');
    return false;
  }
}

/**
 * Queues a digest and moves its period on, in one transaction under the lock of its row: once per
 * period, however many workers look. After a standstill one mail tells of all that was missed.
 */
async function sendDue(app: App, place: DigestPlace): Promise<boolean> {
  return withTransaction(systemCtx(app, place.accountId), async (inTx) => {
    const now = inTx.clock.now();
    const digest = await holdDueDigest(inTx.tx, place, now);
    if (!digest?.next_at) return false;
    if (digest.next_at > now) {
      // Planned by a clock that was ahead: what has come since is in the next one.
      const covered = new Date(Math.min(digest.covered_to.getTime(), now.getTime()));
      await updateDigestRow(inTx.tx, digest, {
        next_at: nextRun(digest, now),
        covered_to: covered,
      });
      return true;
    }
    const { last, next } = periodsOver(digest, digest.next_at, now);
    await queueDigest(inTx, digest, { until: last, run: last.toISOString() });
    const set = { next_at: next, covered_to: last, last_sent_at: now };
    await updateDigestRow(inTx.tx, digest, set);
    return true;
  });
}

/**
 * Job: one digest beside its schedule, of what is new since the last period that was told. Throws
 * JobRefused while the account is suspended.
 */
export async function sendDigestNow(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload, spaces } = job;
  if (accountId === null) return;
  await withTransaction(systemCtx(app, accountId, spaces), async (inTx) => {
    const digest = await lockDigest(inTx.tx, accountId, String(payload.digest_id));
    if (!digest || !mayUse(inTx.actor, digest.spaces)) return;
    if (await isSuspended(inTx.tx, accountId)) throw new JobRefused('The account is suspended.');
    const now = inTx.clock.now();
    await queueDigest(inTx, digest, { until: now, run: job.id });
    await updateDigestRow(inTx.tx, digest, { last_sent_at: now });
  });
}

async function queueDigest(
  inTx: TxCtx,
  digest: DigestRecord,
  { until, run }: { until: Date; run: string },
): Promise<void> {
  const told = await contentOf(inTx, digest, until);
  for (const recipient of await recipientsOf(inTx, digest.recipients)) {
    const content = { ...told, unsubscribeUrl: unsubscribeUrl(inTx, recipient) };
    await queueMail(inTx, {
      kind: 'digest',
      recipient,
      subject: digestSubject(content),
      text: digestText(content),
      memoryIds: [...(told.highlights ?? []), ...(told.newest ?? [])].map(({ id }) => id),
      spaces: digest.spaces,
      html: digestHtml(content),
      headers: unaskedHeaders(inTx, recipient),
      dedupeKey: `digest:${digest.id}:${run}:${recipient}`,
    });
  }
}

async function contentOf(
  { tx, actor }: TxCtx,
  digest: DigestRecord,
  until: Date,
): Promise<Omit<DigestContent, 'unsubscribeUrl'>> {
  const { accountId } = actor;
  const period: Period = {
    after: digest.covered_to,
    until,
    tags: digest.tags,
    visible: digest.spaces,
  };
  const limit = digest.max_items;
  const ask = (order: 'newest' | 'salient') =>
    memoriesOfPeriod(tx, accountId, period, { order, limit });
  return {
    name: digest.name,
    from: period.after,
    to: until,
    timezone: digest.timezone,
    highlights: digest.include_highlights ? await ask('salient') : null,
    newest: digest.include_new_memories ? await ask('newest') : null,
    total: await countOfPeriod(tx, accountId, period),
  };
}
