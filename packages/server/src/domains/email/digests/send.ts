import { isAccountSuspended } from '../../../events/delivery-pause.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { NonRetryableJobError, requeue } from '../../../jobs/job-worker.ts';
import { type App, canUseSpaces, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import {
  countMemoriesInPeriod,
  findMemoriesInPeriod,
  type PeriodFilter,
} from '../../memories/index.ts';
import { enqueueMail } from '../outbound/queue.ts';
import { bulkMailHeaders, unsubscribeUrl } from '../outbound/unsubscribe.ts';
import { resolveRecipients } from '../recipients.ts';
import { type DigestContent, digestHtml, digestSubject, digestText } from './compose.ts';
import type { DigestRecord } from './model.ts';
import { lastElapsedPeriod, nextRun } from './schedule.ts';
import {
  type DigestRef,
  findDueDigests,
  lockDigest,
  lockDueDigest,
  updateDigestRow,
} from './store.ts';

export const dueDigestsKind = 'email.due_digests';
export const sendDigestKind = 'email.send_digest';

const batchSize = 100;

/** Job: the digests whose period is over, those of any account. */
export async function sendDueDigests(
  app: App,
  job: RunningJob,
): Promise<typeof requeue | undefined> {
  const failed = new Set<string>();
  for (;;) {
    const due = await findDueDigests(app.engine.db, app.clock.now(), batchSize + failed.size);
    const places = due.filter(({ digestId }) => !failed.has(digestId));
    if (places.length === 0) break;
    for (const place of places) {
      if (job.shouldYield()) return requeue;
      // Held by another, or failed: not looked at again in this run.
      if (!(await trySendDue(app, place))) failed.add(place.digestId);
    }
  }
  return undefined;
}

/** One that fails holds up no other: it is tried again with the next run. */
async function trySendDue(app: App, place: DigestRef): Promise<boolean> {
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
async function sendDue(app: App, place: DigestRef): Promise<boolean> {
  return withTransaction(systemCtx(app, place.accountId), async (inTx) => {
    const now = inTx.clock.now();
    const digest = await lockDueDigest(inTx.tx, place, now);
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
    const { last, next } = lastElapsedPeriod(digest, digest.next_at, now);
    await enqueueDigest(inTx, digest, { until: last, run: last.toISOString() });
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
    if (!digest || !canUseSpaces(inTx.actor, digest.spaces)) return;
    if (await isAccountSuspended(inTx.tx, accountId))
      throw new NonRetryableJobError('The account is suspended.');
    const now = inTx.clock.now();
    await enqueueDigest(inTx, digest, { until: now, run: job.id });
    await updateDigestRow(inTx.tx, digest, { last_sent_at: now });
  });
}

async function enqueueDigest(
  inTx: TxCtx,
  digest: DigestRecord,
  { until, run }: { until: Date; run: string },
): Promise<void> {
  const told = await loadContent(inTx, digest, until);
  for (const recipient of await resolveRecipients(inTx, digest.recipients)) {
    const content = { ...told, unsubscribeUrl: unsubscribeUrl(inTx, recipient) };
    await enqueueMail(inTx, {
      kind: 'digest',
      recipient,
      subject: digestSubject(content),
      text: digestText(content),
      memoryIds: [...(told.highlights ?? []), ...(told.newest ?? [])].map(({ id }) => id),
      spaces: digest.spaces,
      html: digestHtml(content),
      headers: bulkMailHeaders(inTx, recipient),
      dedupeKey: `digest:${digest.id}:${run}:${recipient}`,
    });
  }
}

async function loadContent(
  { tx, actor }: TxCtx,
  digest: DigestRecord,
  until: Date,
): Promise<Omit<DigestContent, 'unsubscribeUrl'>> {
  const { accountId } = actor;
  const period: PeriodFilter = {
    after: digest.covered_to,
    until,
    tags: digest.tags,
    visible: digest.spaces,
  };
  const limit = digest.max_items;
  const ask = (order: 'newest' | 'salient') =>
    findMemoriesInPeriod(tx, accountId, period, { order, limit });
  return {
    name: digest.name,
    from: period.after,
    to: until,
    timezone: digest.timezone,
    highlights: digest.include_highlights ? await ask('salient') : null,
    newest: digest.include_new_memories ? await ask('newest') : null,
    total: await countMemoriesInPeriod(tx, accountId, period),
  };
}
