import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { cancelJob, enqueueJob, type JobRow } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import {
  type Actor,
  type Ctx,
  canReadSpace,
  requireSpaceAccess,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../../ctx.ts';
import { findLinkTargets } from '../../memories/index.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import { deleteStagedMap } from '../map/stage.ts';
import type { ClusterSettings } from '../model.ts';
import { deleteMemberSets } from '../remove.ts';
import { deleteClusters, lockClustering } from '../store/clusters.ts';
import {
  activeRun,
  countUnclustered,
  findManuallyClustered,
  findRun,
  insertRun,
  updateRun,
} from '../store/runs.ts';
import { findStagedClusters } from '../store/staging.ts';

export const clusterRunJobKind = 'clusters.run';

type QueuedResponse = ResponseBody<typeof routes.clusters.full>;
type FullBody = ValidatedRequest<typeof routes.clusters.full>['body'];
type IncrementalBody = ValidatedRequest<typeof routes.clusters.incremental>['body'];

/** Throws 404 space_not_found, 403 space_access_denied: an account-wide run reads every space. */
async function resolveScope(
  ctx: Ctx,
  { space_id, team_space_id }: Pick<FullBody, 'space_id' | 'team_space_id'>,
): Promise<string | null> {
  const spaceId = space_id ?? team_space_id ?? null;
  await requireUsableSpace(ctx, spaceId);
  requireRunSpaceAccess(ctx.actor, spaceId);
  return spaceId;
}

/** An account-wide run reads every space. */
const canAccessScope = (actor: Actor, spaceId: string | null): boolean =>
  actor.spaces === null || (spaceId !== null && canReadSpace(actor, spaceId));

/** Throws 403 space_access_denied. */
export function requireRunSpaceAccess(actor: Actor, spaceId: string | null): void {
  if (canAccessScope(actor, spaceId)) return;
  requireSpaceAccess(actor, spaceId);
  throw new AppError('space_access_denied', {
    message: 'An account-wide run reads every space, but the key is limited: set space_id.',
  });
}

/** Queues a full run. Throws 409 conflict if a run is queued or running. */
export async function queueFullRun(ctx: Ctx, body: FullBody): Promise<QueuedResponse> {
  const spaceId = await resolveScope(ctx, body);
  return withTransaction(ctx, async (inTx) => {
    const settings = await lockWithoutActiveRun(inTx, spaceId);
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
 * Queues a run that assigns memories to existing automatic clusters. Throws 409 conflict if a run
 * is queued or running, 404 memory_not_found.
 */
export async function queueIncrementalRun(
  ctx: Ctx,
  body: IncrementalBody,
): Promise<QueuedResponse> {
  const spaceId = await resolveScope(ctx, body);
  return withTransaction(ctx, async (inTx) => {
    const { algorithm, min_cluster_size } = await lockWithoutActiveRun(inTx, spaceId);
    const memory_ids = body.memory_ids
      ? await findAssignableMemories(inTx, spaceId, body.memory_ids)
      : null;
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

/** The memories that a run may assign: active, in the scope, and in no manual cluster. */
async function findAssignableMemories(
  { tx, actor }: TxCtx,
  spaceId: string | null,
  requestedIds: readonly string[],
): Promise<string[]> {
  const { accountId } = actor;
  const ids = [...new Set(requestedIds)];
  const memories = await findLinkTargets(tx, accountId, ids);
  const clustered = new Map(memories.map((memory) => [memory.id, memory]));
  const manual = await findManuallyClustered(tx, accountId, ids);
  return ids.filter((id) => {
    const memory = clustered.get(id);
    if (!memory) throw new AppError('memory_not_found', { details: { memory_id: id } });
    requireSpaceAccess(actor, memory.space_id);
    const inScope = spaceId === null || memory.space_id === spaceId;
    return inScope && memory.deleted_at === null && !manual.has(id);
  });
}

/** The account's settings, locked so that no other run is queued. Throws 409 conflict. */
async function lockWithoutActiveRun(inTx: TxCtx, spaceId: string | null): Promise<ClusterSettings> {
  const { tx, actor } = inTx;
  const settings = await lockClustering(tx, actor.accountId);
  const other = await activeRun(tx, actor.accountId, spaceId);
  if (!other) return settings;
  throw new AppError('conflict', {
    message: `A clustering run of this scope is already ${other.status}.`,
    details: { job_id: other.id, run_status: other.status },
  });
}

interface NewRun extends Pick<ClusterSettings, 'algorithm' | 'min_cluster_size'> {
  readonly kind: 'full' | 'incremental';
  readonly space_id: string | null;
  readonly memory_ids: string[] | null;
  readonly memory_count: number;
}

/** Creates the run and its job, which share one id. */
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
  await enqueueJob(tx, { id, accountId, kind: clusterRunJobKind, payload: {}, spaces, runAt: now });
  return id;
}

/**
 * Cancels a queued or running run and its job. Existing clusters remain; staged ones are deleted.
 * Throws 409 conflict if it has ended, 403 space_access_denied.
 * @param present converts the job to the response
 */
export async function cancelRun<T>(ctx: Ctx, id: string, present: (job: JobRow) => T): Promise<T> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { accountId } = actor;
    await lockClustering(tx, accountId);
    const run = await findRun(tx, accountId, id);
    if (run) requireRunSpaceAccess(actor, run.space_id);
    const now = clock.now();
    const job = await cancelJob(tx, id, now);
    if (!run || !job) {
      throw new AppError('conflict', { message: `The run is already ${run?.status ?? 'over'}.` });
    }
    await updateRun(tx, accountId, id, { status: 'cancelled', completed_at: now });
    await deleteStagedClusters(inTx, id);
    return present(job);
  });
}

/** Whether the key may access what the run clusters. */
export async function canReadRun({ engine, actor }: Ctx, id: string): Promise<boolean> {
  const run = await findRun(engine.db, actor.accountId, id);
  return run !== undefined && canAccessScope(actor, run.space_id);
}

/** Deletes the clusters and the map that a run has staged. */
export async function deleteStagedClusters(inTx: TxCtx, runId: string): Promise<void> {
  const { tx, actor } = inTx;
  const staged = await findStagedClusters(tx, actor.accountId, runId);
  await deleteClusters(
    tx,
    actor.accountId,
    staged.map(({ id }) => id),
  );
  await deleteMemberSets(
    inTx,
    staged.map(({ member_set_id }) => member_set_id),
  );
  await deleteStagedMap(inTx, runId);
}
