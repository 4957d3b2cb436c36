import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { lockLinkTargets } from '../memories/index.ts';
import { readVectors, type StoredVectors } from '../search-index/index.ts';
import { lockClustering } from './store/clusters.ts';
import { listMembersAfter, membershipsOf, setIsInVectorSum } from './store/members.ts';
import { findVectorSums, resetVectorSum, saveVectorSums, type VectorSumRow } from './store/sums.ts';
import { addToSum, decodeSum, encodeSum } from './vector-sums.ts';

/** The changes of a cluster: the number of its active memories, and vectors in its sum. */
export interface ClusterDelta {
  count: number;
  readonly vectors: { readonly memoryId: string; readonly sign: 1 | -1 }[];
}

export class ClusterDeltas {
  readonly byCluster = new Map<string, ClusterDelta>();

  of(clusterId: string): ClusterDelta {
    const existing = this.byCluster.get(clusterId);
    if (existing) return existing;
    const created: ClusterDelta = { count: 0, vectors: [] };
    this.byCluster.set(clusterId, created);
    return created;
  }

  get memoryIds(): string[] {
    const all = [...this.byCluster.values()].flatMap(({ vectors }) => vectors);
    return [...new Set(all.map(({ memoryId }) => memoryId))];
  }
}

export const recomputeCentroidKind = 'clusters.centroid';
export const updateCentroidsKind = 'clusters.sum';
type WriteContext = Pick<TxCtx, 'tx' | 'clock' | 'ids'>;

/**
 * Writes counts and sums. A sum of another model, or one that loses very many vectors at once, is
 * discarded and rebuilt by a job. The caller holds the account's clustering lock.
 */
export async function applyClusterDeltas(
  inTx: WriteContext,
  accountId: string,
  deltas: ClusterDeltas,
  stored: StoredVectors,
): Promise<void> {
  const ids = [...deltas.byCluster.keys()];
  if (ids.length === 0) return;
  const rows = await findVectorSums(inTx.tx, accountId, ids);
  const stale: string[] = [];
  const saved = rows.map((row) => {
    const { count, vectors } = deltas.of(row.id);
    const sum = applyToSum(row, vectors, stored);
    if (sum.vector_sum === null && row.vector_sum !== null) stale.push(row.id);
    return { ...sum, count };
  });
  await saveVectorSums(inTx.tx, accountId, saved);
  for (const id of stale) await enqueueCentroidRecompute(inTx, accountId, id);
}

function applyToSum(
  row: VectorSumRow,
  changes: ClusterDelta['vectors'],
  { model, vectors }: StoredVectors,
): VectorSumRow {
  const { id, vector_sum: bytes } = row;
  if (bytes === null || changes.length === 0) return row;
  const [base] = vectors.values();
  if (base === undefined) return row;
  if (bytes.length > 0 && row.vector_model !== model) {
    return { id, vector_sum: null, vector_model: null };
  }
  const sum = bytes.length > 0 ? decodeSum(bytes) : new Float64Array(base.length);
  for (const { memoryId, sign } of changes) {
    const vector = vectors.get(memoryId);
    if (vector) addToSum(sum, vector, sign);
  }
  return { id, vector_sum: encodeSum(sum), vector_model: model };
}

/** @param spaces of the requesting key, which may then read the job; null: all */
export async function enqueueCentroidRecompute(
  { tx, clock, ids }: WriteContext,
  accountId: string,
  clusterId: string,
  spaces: readonly string[] | null = null,
): Promise<string> {
  const id = ids.uuid();
  const payload = { cluster_id: clusterId };
  const job = { id, accountId, kind: recomputeCentroidKind, payload, runAt: clock.now() };
  await enqueueJob(tx, { ...job, spaces });
  return id;
}

/** New content gets its vector after the transaction: a job adds it to the sums then. */
export async function enqueueCentroidUpdate(
  { tx, clock, ids }: WriteContext,
  accountId: string,
  memoryIds: readonly string[],
): Promise<void> {
  const payload = { memory_ids: memoryIds };
  const job = { id: ids.uuid(), accountId, kind: updateCentroidsKind, payload, runAt: clock.now() };
  await enqueueJob(tx, { ...job, spaces: null });
}

/** Job: adds the vectors of memories to the sums that lack them. */
export async function updateCentroids(app: App, { accountId, payload }: RunningJob): Promise<void> {
  if (accountId === null) return;
  await addMissingVectors(systemCtx(app, accountId), payload.memory_ids as string[]);
}

const addMissingVectors = (ctx: Ctx, memoryIds: readonly string[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const { accountId } = actor;
    const memories = await lockLinkTargets(tx, accountId, memoryIds);
    const active = memories.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
    await lockClustering(tx, accountId);
    const stored = await readVectors(tx, accountId, active);
    const lacking = (await membershipsOf(tx, accountId, active)).filter(
      ({ is_in_vector_sum, memory_id }) => !is_in_vector_sum && stored.vectors.has(memory_id),
    );
    const deltas = new ClusterDeltas();
    for (const { cluster_id, memory_id: memoryId } of lacking) {
      deltas.of(cluster_id).vectors.push({ memoryId, sign: 1 });
    }
    await setIsInVectorSum(tx, accountId, lacking, true);
    await applyClusterDeltas(inTx, accountId, deltas, stored);
  });

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Job: rebuilds the sum of a cluster's vectors. */
export async function recomputeCentroid(app: App, job: RunningJob): Promise<void> {
  if (job.accountId === null) return;
  const ctx = systemCtx(app, job.accountId);
  await rebuildVectorSum(ctx, job.payload.cluster_id as string, () => job.saveProgress(0.5));
}

/**
 * In steps, because a cluster may be large: it starts with an empty sum, and each step adds vectors
 * that are missing. A memory that leaves in between is subtracted only if it was added.
 */
export async function rebuildVectorSum(
  ctx: Ctx,
  clusterId: string,
  onStep: () => Promise<void>,
): Promise<void> {
  const { accountId } = ctx.actor;
  const setId = await withTransaction(ctx, async ({ tx }) => {
    await lockClustering(tx, accountId);
    return resetVectorSum(tx, accountId, clusterId);
  });
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  for (let after = nilUuid; setId !== null; ) {
    const members = await adaptiveBatch.run(async (rows) => {
      const page = await listMembersAfter(ctx.engine.db, accountId, setId, after, rows);
      if (page.length > 0) await addMissingVectors(ctx, page);
      return page;
    });
    const last = members.at(-1);
    if (last === undefined) return;
    after = last;
    await onStep();
  }
}
