import { createHash } from 'node:crypto';
import {
  type EraseFilter,
  type EraseMemoriesBody,
  eraseFilter,
  type ResponseBody,
  type routes,
} from '@mneme/contract';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { JobResult, RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { AppError } from '../../kernel/errors.ts';
import { isValidSignedLink, signLink } from '../../kernel/signed-link.ts';
import {
  type App,
  type Ctx,
  requestedUser,
  systemCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { Reply } from '../handler.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { toMemoryFilter } from './read.ts';
import { eraseLockedMemories } from './remove.ts';
import { countMatchingMemories, listMatchingIds, type MemoryFilter } from './store/list.ts';
import { lockMemories } from './store/memories.ts';

export const eraseMatchingKind = 'memories.erase_matching';

type Answer = ResponseBody<typeof routes.memories.erase>;

const tokenPurpose = 'erasures of memories';
const tokenMinutes = 10;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/**
 * A dry run counts what a filter matches; the run needs its token and queues the job. Throws 404
 * space_not_found, 403 space_access_denied or user_access_denied, 409 conflict (the token is not of
 * this filter or has expired, or more memories match by now).
 */
export async function eraseMatching(ctx: Ctx, body: EraseMemoriesBody): Promise<Reply<Answer>> {
  const { dry_run: isDryRun, token = '' } = body;
  // The job acts without the token: its filter has the user whom the token is limited to.
  const user_id = requestedUser(ctx.actor, body.filter.user_id);
  const filter = { ...body.filter, ...(user_id !== undefined && { user_id }) };
  if (filter.space_id !== undefined) await requireUsableSpace(ctx, filter.space_id);
  const { engine, actor, clock, ids } = ctx;
  const { accountId } = actor;
  const counts = await countMatchingMemories(engine.db, accountId, toErasureFilter(ctx, filter));
  const { count } = counts;
  const counted = isDryRun ? count : readToken(ctx, filter, token);
  if (count > counted) {
    throw new AppError('conflict', {
      message: 'More memories match than the dry run counted: repeat it.',
      details: { counted, count },
    });
  }
  // A dry run, too, commits its answer under its Idempotency-Key.
  return withTransaction(ctx, async ({ tx }) => {
    if (isDryRun) return new Reply({ ...counts, ...issueToken(ctx, filter, count) });
    const id = ids.uuid();
    const now = clock.now();
    const payload = { filter, until: now.toISOString(), total: count };
    const job = { id, accountId, kind: eraseMatchingKind, payload, runAt: now };
    await enqueueJob(tx, { ...job, spaces: visibleSpaces(actor) });
    return new Reply({ job_id: id }, { status: 202 });
  });
}

const toErasureFilter = (ctx: Ctx, filter: EraseFilter): MemoryFilter => ({
  ...toMemoryFilter(ctx, filter),
  ids: filter.ids,
  metadata: filter.metadata ?? {},
  includeDeleted: true,
});

/** What the signature covers besides the expiry. */
const signedParts = ({ actor }: Ctx, filter: EraseFilter, count: number): (string | number)[] => {
  const sorted = Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
  return [actor.accountId, hash, count];
};

function issueToken(
  ctx: Ctx,
  filter: EraseFilter,
  count: number,
): { token: string; expires_at: string } {
  const expires = Math.floor(ctx.clock.now().getTime() / 1_000) + tokenMinutes * 60;
  const signature = signLink(ctx, tokenPurpose, signedParts(ctx, filter, count), expires);
  const token = Buffer.from(JSON.stringify({ count, expires, signature })).toString('base64url');
  return { token, expires_at: new Date(expires * 1_000).toISOString() };
}

/** The count of the dry run. */
function readToken(ctx: Ctx, filter: EraseFilter, token: string): number {
  const { count, expires, signature } = parseToken(token);
  if (
    typeof count === 'number' &&
    typeof expires === 'number' &&
    typeof signature === 'string' &&
    isValidSignedLink(ctx, tokenPurpose, signedParts(ctx, filter, count), { expires, signature })
  )
    return count;
  throw new AppError('conflict', {
    message: 'The token is not of a dry run of this filter, or has expired: repeat the dry run.',
  });
}

function parseToken(token: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return { ...(parsed as object | null) };
  } catch {
    return {};
  }
}

/**
 * Job: erases what a filter matches in small steps, up to what had been created when it was
 * queued. Continues after a crash where it stopped. Its result is the receipt.
 */
export async function eraseMatchingMemories(app: App, job: RunningJob): Promise<JobResult> {
  const { accountId, payload } = job;
  if (accountId === null) return {};
  const ctx = systemCtx(app, accountId, job.spaces);
  const filter = toErasureFilter(ctx, eraseFilter.parse(payload.filter));
  const createdUntil = new Date(payload.until as string);
  const total = Math.max(1, payload.total as number);
  let after = (payload.after as string | undefined) ?? beforeAllIds;
  let erased = (payload.erased as number | undefined) ?? 0;
  const { db } = app.engine;
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  const step = async (limit: number): Promise<boolean> => {
    const ids = await listMatchingIds(db, accountId, filter, { after, createdUntil, limit });
    erased += await eraseStillMatching(ctx, filter, ids);
    after = ids.at(-1) ?? after;
    return ids.length > 0;
  };
  while (await adaptiveBatch.run(step)) {
    await job.saveProgress(Math.min(0.99, erased / total), { ...payload, after, erased });
  }
  const { hard_protected } = await countMatchingMemories(db, accountId, filter);
  return { erased, hard_protected };
}

/** A memory that no longer matches, or is hard-protected, by the time it is locked stays. */
const eraseStillMatching = (
  ctx: Ctx,
  filter: MemoryFilter,
  ids: readonly string[],
): Promise<number> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const locked = await lockMemories(tx, actor.accountId, ids);
    const page = { after: beforeAllIds, limit: locked.length };
    const still = { ...filter, ids: locked.map(({ id }) => id) };
    const matching = new Set(await listMatchingIds(tx, actor.accountId, still, page));
    const records = locked.filter(({ id }) => matching.has(id));
    if (records.length > 0) await eraseLockedMemories(inTx, records);
    return records.length;
  });
