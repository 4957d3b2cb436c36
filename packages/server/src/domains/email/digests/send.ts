import { logFailure } from '../../../database/index.ts';
import { isAccountSuspended } from '../../../events/delivery-pause.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { NonRetryableJobError, requeueResult } from '../../../jobs/job-worker.ts';
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
import { lastElapsedPeriod, nextDigestTime } from './schedule.ts';
import {
  type DigestRef,
  findDueDigests,
  lockDigest,
  lockDueDigest,
  updateDigestRow,
} from './store/digests.ts';

export const dueDigestsKind = 'email.due_digests';
export const sendDigestKind = 'email.send_digest';

const batchSize = 100;

/** Job: sends the due digests of all accounts. */
export async function sendDueDigests(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  const failed = new Set<string>();
  for (;;) {
    const due = await findDueDigests(app.engine.db, app.clock.now(), batchSize + failed.size);
    const pending = due.filter(({ digestId }) => !failed.has(digestId));
    if (pending.length === 0) break;
    for (const ref of pending) {
      if (job.shouldYield()) return requeueResult;
      // Locked by another process, or failed: skipped in this run.
      if (!(await trySendDue(app, ref))) failed.add(ref.digestId);
    }
  }
  return undefined;
}

/** A failure does not stop other digests; the next run retries it. */
async function trySendDue(app: App, ref: DigestRef): Promise<boolean> {
  try {
    return await sendDue(app, ref);
  } catch (error) {
    logFailure(app.log, error, 'digest delivery failed', { digest: ref.digestId });
    return false;
  }
}

/**
 * Queues a digest and advances its period in one transaction that locks the row, so that concurrent
 * workers send it once per period. After downtime, one mail covers all missed periods.
 */
async function sendDue(app: App, ref: DigestRef): Promise<boolean> {
  return withTransaction(systemCtx(app, ref.accountId), async (inTx) => {
    const now = inTx.clock.now();
    const digest = await lockDueDigest(inTx.tx, ref, now);
    if (!digest?.next_run_at) return false;
    if (digest.next_run_at > now) {
      // Scheduled by a clock that was ahead: the next digest covers the time since then.
      const covered = new Date(Math.min(digest.covered_until.getTime(), now.getTime()));
      await updateDigestRow(inTx.tx, digest, {
        next_run_at: nextDigestTime(digest, now),
        covered_until: covered,
      });
      return true;
    }
    const { last, next } = lastElapsedPeriod(digest, digest.next_run_at, now);
    await enqueueDigest(inTx, digest, { until: last, run: last.toISOString() });
    const set = { next_run_at: next, covered_until: last, last_sent_at: now };
    await updateDigestRow(inTx.tx, digest, set);
    return true;
  });
}

/**
 * Job: sends one digest outside its schedule, with the memories since the last covered period.
 * Throws NonRetryableJobError while the account is suspended.
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
  const digestContent = await loadContent(inTx, digest, until);
  for (const recipient of await resolveRecipients(inTx, digest.recipients)) {
    const content = { ...digestContent, unsubscribeUrl: unsubscribeUrl(inTx, recipient) };
    await enqueueMail(inTx, {
      kind: 'digest',
      recipient,
      subject: digestSubject(content),
      text: digestText(content),
      memoryIds: [...(digestContent.highlights ?? []), ...(digestContent.newest ?? [])].map(
        ({ id }) => id,
      ),
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
    after: digest.covered_until,
    until,
    tags: digest.tags,
    visible: digest.spaces,
  };
  const limit = digest.max_items;
  const findMemories = (order: 'newest' | 'salient') =>
    findMemoriesInPeriod(tx, accountId, period, { order, limit });
  return {
    name: digest.name,
    from: period.after,
    to: until,
    timezone: digest.timezone,
    highlights: digest.include_highlights ? await findMemories('salient') : null,
    newest: digest.include_new_memories ? await findMemories('newest') : null,
    total: await countMemoriesInPeriod(tx, accountId, period),
  };
}
