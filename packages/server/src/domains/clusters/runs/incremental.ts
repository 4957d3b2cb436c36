import type { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { type LinkTarget, lockLinkTargets } from '../../memories/index.ts';
import {
  modelScales,
  readVectors,
  resolveAccountModel,
  type StoredVectors,
} from '../../search-index/index.ts';
import { applyClusterDeltas, ClusterDeltas, rebuildVectorSum } from '../centroid-update.ts';
import { publishMemoryAdded, publishMemoryRemoved } from '../events.ts';
import type { ClusterRecord } from '../model.ts';
import { listAutomaticClusters } from '../store/clusters.ts';
import {
  type Membership,
  membershipsOf,
  type NewMember,
  removeMembers,
  upsertMembers,
} from '../store/members.ts';
import { listUnclusteredAfter, type RunRecord, updateRun } from '../store/runs.ts';
import { findVectorSums } from '../store/sums.ts';
import { centroidOf, decodeSum, dotProduct, toUnitVector } from '../vector-sums.ts';
import { queueFullRunIfNeeded } from './automatic-runs.ts';
import { requireRunOwnership } from './run-ownership.ts';

/** Minimum cosine to a centroid for an assignment, on the scale of the shipped encoder. */
const cosineMin = 0.6;
const pageRows = 100;
const nilUuid = '00000000-0000-0000-0000-000000000000';

interface ClusterTarget {
  readonly cluster: ClusterRecord;
  readonly centroid: Float32Array;
}

interface ClusterTargets {
  readonly clusters: readonly ClusterTarget[];
  /** From cosines of the account's model. */
  readonly encoderCosine: (cosine: number) => number;
}

interface NearestCluster {
  readonly cluster: ClusterRecord;
  readonly cosine: number;
}

/**
 * Assigns memories to the nearest centroid of existing automatic clusters; the others remain noise.
 */
export async function runIncrementalClustering(
  ctx: Ctx,
  run: RunRecord,
  heartbeat: JobHeartbeat,
): Promise<void> {
  const targets = await readTargets(ctx, run, heartbeat);
  let [processed, assigned] = [0, 0];
  for await (const page of memoryPages(ctx, run)) {
    assigned += await assignPage(ctx, run, targets, page);
    processed += page.length;
    heartbeat.reportProgress(processed / Math.max(processed, run.memory_count));
    // Let other requests run.
    await new Promise(setImmediate);
  }
  await withTransaction(ctx, async (inTx) => {
    await requireRunOwnership(inTx, run);
    await updateRun(inTx.tx, inTx.actor.accountId, run.id, {
      status: 'completed',
      memory_count: processed,
      cluster_count: targets.clusters.length,
      noise_count: processed - assigned,
      completed_at: inTx.clock.now(),
    });
    await queueFullRunIfNeeded(inTx, run.space_id);
  });
}

async function* memoryPages(ctx: Ctx, run: RunRecord): AsyncGenerator<string[]> {
  const { engine, actor } = ctx;
  for (let from = 0; run.memory_ids && from < run.memory_ids.length; from += pageRows) {
    yield run.memory_ids.slice(from, from + pageRows);
  }
  for (let after = nilUuid; run.memory_ids === null; ) {
    const cursor = { after, limit: pageRows };
    const page = await listUnclusteredAfter(
      engine.db,
      actor.accountId,
      run.space_id,
      'any',
      cursor,
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return;
    after = last;
  }
}

/** The automatic clusters of the scope, each with its centroid by the current model. */
async function readTargets(
  ctx: Ctx,
  run: RunRecord,
  heartbeat: JobHeartbeat,
): Promise<ClusterTargets> {
  const { engine, actor } = ctx;
  const { accountId } = actor;
  const clusters = await listAutomaticClusters(engine.db, accountId, run.space_id);
  const ids = clusters.map(({ id }) => id);
  const { model } = await readVectors(engine.db, accountId, []);
  for (const sum of await findVectorSums(engine.db, accountId, ids)) {
    const isStale = sum.vector_sum === null || (sum.vector_model ?? model) !== model;
    if (isStale) await rebuildVectorSum(ctx, sum.id, async () => heartbeat.reportProgress(0));
  }
  const sums = new Map(
    (await findVectorSums(engine.db, accountId, ids)).map((sum) => [sum.id, sum]),
  );
  const withCentroid = clusters.flatMap((cluster) => {
    const bytes = sums.get(cluster.id)?.vector_sum;
    const centroid = bytes && bytes.length > 0 ? centroidOf(decodeSum(bytes)) : null;
    return centroid ? [{ cluster, centroid }] : [];
  });
  const account = await resolveAccountModel(ctx);
  const encoderCosine = await modelScales.of(ctx).encoderCosine(account.model);
  return { clusters: withCentroid, encoderCosine };
}

function findNearestCluster(
  { clusters, encoderCosine }: ClusterTargets,
  vector: Int8Array,
): NearestCluster | null {
  const unit = toUnitVector(vector);
  let best: NearestCluster | null = null;
  if (unit === null) return null;
  for (const { cluster, centroid } of clusters) {
    const cosine = dotProduct(unit, centroid);
    if (encoderCosine(cosine) >= cosineMin && cosine > (best?.cosine ?? 0))
      best = { cluster, cosine };
  }
  return best;
}

/** Returns how many of them are in a cluster afterwards. */
async function assignPage(
  ctx: Ctx,
  run: RunRecord,
  targets: ClusterTargets,
  page: readonly string[],
): Promise<number> {
  const { accountId } = ctx.actor;
  return withTransaction(ctx, async (inTx) => {
    const { tx } = inTx;
    const memoryIds = await lockLinkTargets(tx, accountId, page);
    await requireRunOwnership(inTx, run);
    const stored = await readVectors(tx, accountId, page);
    // Clusters may have been removed or merged since they were read.
    const existingIds = new Set(
      (await listAutomaticClusters(tx, accountId, run.space_id)).map(({ id }) => id),
    );
    const current = targets.clusters.filter(({ cluster }) => existingIds.has(cluster.id));
    const currentTargets = { ...targets, clusters: current };
    const existing = Map.groupBy(
      await membershipsOf(tx, accountId, page),
      ({ memory_id }) => memory_id,
    );
    const moves = memoryIds.flatMap((memory): Move[] => {
      const memberships = (existing.get(memory.id) ?? []).filter(({ run_id }) => run_id === null);
      const isIn = run.space_id === null || memory.space_id === run.space_id;
      if (memory.deleted_at !== null || !isIn) return [];
      if (memberships.some(({ type }) => type === 'manual')) return [];
      const vector = stored.vectors.get(memory.id);
      const nearest = vector ? findNearestCluster(currentTargets, vector) : null;
      const before = memberships.filter(({ space_id }) => space_id === run.space_id);
      return [{ memory, nearest, before }];
    });
    await applyMoves(inTx, moves, stored);
    return moves.filter(({ nearest }) => nearest !== null).length;
  });
}

interface Move {
  readonly memory: LinkTarget;
  readonly nearest: NearestCluster | null;
  /** Its previous memberships in the scope. */
  readonly before: readonly Membership[];
}

async function applyMoves(
  inTx: TxCtx,
  moves: readonly Move[],
  stored: StoredVectors,
): Promise<void> {
  const { tx, actor, clock } = inTx;
  const { accountId } = actor;
  const deltas = new ClusterDeltas();
  const departed: Membership[] = [];
  const members: NewMember[] = [];
  for (const { memory, nearest, before } of moves) {
    for (const one of before) {
      if (one.cluster_id === nearest?.cluster.id) continue;
      departed.push(one);
      const delta = deltas.of(one.cluster_id);
      delta.count -= 1;
      if (one.is_in_vector_sum) delta.vectors.push({ memoryId: memory.id, sign: -1 });
      const { cluster_id: id, space_id, type } = one;
      publishMemoryRemoved(inTx, { account_id: accountId, id, space_id, type }, memory);
    }
    if (nearest === null) continue;
    const { cluster, cosine } = nearest;
    const confidence = Math.min(1, cosine);
    const member = {
      setId: cluster.member_set_id,
      memoryId: memory.id,
      confidence,
      isSummed: true,
    };
    members.push(member);
    if (before.some(({ cluster_id }) => cluster_id === cluster.id)) continue;
    const delta = deltas.of(cluster.id);
    delta.count += 1;
    delta.vectors.push({ memoryId: memory.id, sign: 1 });
    publishMemoryAdded(inTx, cluster, memory, confidence);
  }
  await removeMembers(tx, accountId, departed);
  await upsertMembers(tx, accountId, members, clock.now());
  await applyClusterDeltas(inTx, accountId, deltas, stored);
}
