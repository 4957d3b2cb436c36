import type { Answer, Checked, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { cancelJob, enqueue, type JobRow } from '../../../work/queue.ts';
import {
  type Actor,
  type Ctx,
  maySee,
  requireSpace,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../../ctx.ts';
import { findEnds } from '../../memories/index.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import type { Settings } from '../model.ts';
import { dropSets } from '../remove.ts';
import { deleteClusters, lockClustering } from '../store/clusters.ts';
import {
  activeRun,
  countUnclustered,
  findRun,
  inManual,
  insertRun,
  updateRun,
} from '../store/runs.ts';
import { stagedBy } from '../store/staging.ts';

export const runKind = 'clusters.run';

type Queued = Answer<typeof routes.clusters.full>;
type FullBody = Checked<typeof routes.clusters.full>['body'];
type IncrementalBody = Checked<typeof routes.clusters.incremental>['body'];

/** Throws 404 space_not_found, 403 space_access_denied: an account-wide run reads every space. */
async function scopeOf(
  ctx: Ctx,
  { space_id, team_space_id }: Pick<FullBody, 'space_id' | 'team_space_id'>,
): Promise<string | null> {
  const spaceId = space_id ?? team_space_id ?? null;
  await requireUsableSpace(ctx, spaceId);
  requireScope(ctx.actor, spaceId);
  return spaceId;
}

/** An account-wide run reads every space. */
const hasScope = (actor: Actor, spaceId: string | null): boolean =>
  actor.spaces === null || (spaceId !== null && maySee(actor, spaceId));

/** Throws 403 space_access_denied. */
export function requireScope(actor: Actor, spaceId: string | null): void {
  if (hasScope(actor, spaceId)) return;
  requireSpace(actor, spaceId);
  throw new AppError('space_access_denied', {
    message: 'An account-wide run reads the memories of every space: name one.',
  });
}

/** Queues a run that finds clusters anew. Throws 409 conflict where one waits or runs. */
export async function queueFull(ctx: Ctx, body: FullBody): Promise<Queued> {
  const spaceId = await scopeOf(ctx, body);
  return withTransaction(ctx, async (inTx) => {
    const settings = await lockIdle(inTx, spaceId);
    const chosen = {
      algorithm: body.algorithm ?? settings.algorithm,
      min_cluster_size: body.min_cluster_size ?? settings.min_cluster_size,
    };
    const { accountId } = inTx.actor;
    const memory_count = await countUnclustered(inTx.tx, accountId, spaceId, 'manual');
    const job_id = await queueRun(inTx, {
      kind: 'full',
      space_id: spaceId,
      ...chosen,
      memory_ids: null,
      memory_count,
    });
    return {
      status: 'queued',
      job_id,
      message: 'A full clustering run is queued.',
      params: { space_id: spaceId, memory_count, ...chosen },
    };
  });
}

/**
 * Queues a run that assigns memories to what former runs found. Throws 409 conflict where one
 * waits or runs, 404 memory_not_found.
 */
export async function queueIncremental(ctx: Ctx, body: IncrementalBody): Promise<Queued> {
  const spaceId = await scopeOf(ctx, body);
  return withTransaction(ctx, async (inTx) => {
    const { algorithm, min_cluster_size } = await lockIdle(inTx, spaceId);
    const memory_ids = body.memory_ids ? await namedMemories(inTx, spaceId, body.memory_ids) : null;
    const { accountId } = inTx.actor;
    const memory_count =
      memory_ids?.length ?? (await countUnclustered(inTx.tx, accountId, spaceId, 'any'));
    const job_id = await queueRun(inTx, {
      kind: 'incremental',
      space_id: spaceId,
      algorithm,
      min_cluster_size,
      memory_ids,
      memory_count,
    });
    return {
      status: 'queued',
      job_id,
      message: 'An incremental clustering run is queued.',
      params: { space_id: spaceId, memory_count },
    };
  });
}

/** Those of them that a run may assign: active, of the scope, and in no manual cluster. */
async function namedMemories(
  { tx, actor }: TxCtx,
  spaceId: string | null,
  named: readonly string[],
): Promise<string[]> {
  const { accountId } = actor;
  const ids = [...new Set(named)];
  const ends = await findEnds(tx, accountId, ids);
  const known = new Map(ends.map((end) => [end.id, end]));
  const manual = await inManual(tx, accountId, ids);
  return ids.filter((id) => {
    const end = known.get(id);
    if (!end) throw new AppError('memory_not_found', { details: { memory_id: id } });
    requireSpace(actor, end.space_id);
    const inScope = spaceId === null || end.space_id === spaceId;
    return inScope && end.deleted_at === null && !manual.has(id);
  });
}

/** How the account finds clusters, while nobody queues another run. Throws 409 conflict. */
async function lockIdle(inTx: TxCtx, spaceId: string | null): Promise<Settings> {
  const { tx, actor } = inTx;
  const settings = await lockClustering(tx, actor.accountId);
  const other = await activeRun(tx, actor.accountId, spaceId);
  if (!other) return settings;
  throw new AppError('conflict', {
    message: `A clustering run of this scope is ${other.status} already.`,
    details: { job_id: other.id, run_status: other.status },
  });
}

interface NewRun extends Pick<Settings, 'algorithm' | 'min_cluster_size'> {
  readonly kind: 'full' | 'incremental';
  readonly space_id: string | null;
  readonly memory_ids: string[] | null;
  readonly memory_count: number;
}

/** The run and its job, which have one id. */
export async function queueRun(inTx: TxCtx, run: NewRun): Promise<string> {
  const { tx, actor, clock, ids } = inTx;
  const { accountId } = actor;
  const [id, now] = [ids.uuid(), clock.now()];
  await insertRun(tx, {
    ...run,
    account_id: accountId,
    id,
    status: 'queued',
    sampled_count: null,
    error: null,
    created_at: now,
    started_at: null,
    completed_at: null,
  });
  const spaces = visibleSpaces(actor);
  await enqueue(tx, { id, accountId, kind: runKind, payload: {}, spaces, runAt: now });
  return id;
}

/**
 * Ends a run that waits or runs, and its job. What it was to replace stays; what it was putting
 * together goes. Throws 409 conflict where it has ended, 403 space_access_denied.
 * @param present makes the answer of the job
 */
export async function cancelRun<T>(ctx: Ctx, id: string, present: (job: JobRow) => T): Promise<T> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { accountId } = actor;
    await lockClustering(tx, accountId);
    const run = await findRun(tx, accountId, id);
    if (run) requireScope(actor, run.space_id);
    const now = clock.now();
    const job = await cancelJob(tx, id, now);
    if (!run || !job) {
      throw new AppError('conflict', { message: `The run is ${run?.status ?? 'over'} already.` });
    }
    await updateRun(tx, accountId, id, { status: 'cancelled', completed_at: now });
    await dropStaged(inTx, id);
    return present(job);
  });
}

/** Whether the key may use what the run clusters. */
export async function canSeeRun({ engine, actor }: Ctx, id: string): Promise<boolean> {
  const run = await findRun(engine.db, actor.accountId, id);
  return run !== undefined && hasScope(actor, run.space_id);
}

/** What a run has put together so far. */
export async function dropStaged(inTx: TxCtx, runId: string): Promise<void> {
  const { tx, actor } = inTx;
  const staged = await stagedBy(tx, actor.accountId, runId);
  await deleteClusters(
    tx,
    actor.accountId,
    staged.map(({ id }) => id),
  );
  await dropSets(
    inTx,
    staged.map(({ set_id }) => set_id),
  );
}
