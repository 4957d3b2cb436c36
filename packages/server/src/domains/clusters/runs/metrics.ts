import type { ClusterMetrics, ClusterMetricsTask } from '@mneme/clustering';
import type { ResponseBody, routes } from '@mneme/contract';
import { JobHeartbeat, JobStopped } from '../../../jobs/job-heartbeat.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { type App, type Ctx, systemCtx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { readVectors } from '../../search-index/index.ts';
import { enqueueCentroidRecompute } from '../centroid-update.ts';
import { publishClusterUpdated } from '../events.ts';
import { lockCluster, requireCluster } from '../lookup.ts';
import type { ClusterRecord } from '../model.ts';
import { findCluster, lockClustering, siblingsOf } from '../store/clusters.ts';
import { listMembersAfter } from '../store/members.ts';
import { saveClusterScores } from '../store/staging.ts';
import { computeMetricsInThread } from '../thread/run-in-thread.ts';
import { toUnitVector } from '../vector-sums.ts';

export const metricsKind = 'clusters.metrics';

type QueuedResponse = ResponseBody<typeof routes.clusters.refreshMetrics>;

const queuedResponse = (clusterId: string, job_id: string, message: string): QueuedResponse => ({
  status: 'queued',
  job_id,
  cluster_id: clusterId,
  message,
});

/** Throws 404 cluster_not_found, 403 space_access_denied. */
export const queueMetricsJob = (ctx: Ctx, id: string): Promise<QueuedResponse> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, ids } = inTx;
    await lockCluster(inTx, id);
    const [jobId, payload] = [ids.uuid(), { cluster_id: id }];
    const { accountId } = actor;
    const job = { id: jobId, accountId, kind: metricsKind, payload, runAt: clock.now() };
    await enqueueJob(tx, { ...job, spaces: visibleSpaces(actor) });
    return queuedResponse(id, jobId, 'The metrics will be computed.');
  });

/** As `queueMetricsJob`. */
export const queueCentroidJob = (ctx: Ctx, id: string): Promise<QueuedResponse> =>
  withTransaction(ctx, async (inTx) => {
    await requireCluster(inTx, id);
    const jobId = await enqueueCentroidRecompute(
      inTx,
      inTx.actor.accountId,
      id,
      visibleSpaces(inTx.actor),
    );
    return queuedResponse(id, jobId, 'The centroid will be computed.');
  });

/** Limit of the total number of vectors, so that every account fits into the thread. */
const rowsMax = 20_000;
const pageRows = 200;
const nilUuid = '00000000-0000-0000-0000-000000000000';
const seed = 20_261_121;

/** Job: computes the metrics of a cluster compared with the others of its scope. */
export async function computeClusterMetrics(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  if (job.accountId === null) return undefined;
  const ctx = systemCtx(app, job.accountId);
  const id = job.payload.cluster_id as string;
  const cluster = await findCluster(ctx.engine.db, job.accountId, id);
  if (!cluster) return undefined;
  await using heartbeat = new JobHeartbeat(app.clock, job);
  try {
    const task = await loadMetricsTask(ctx, cluster, heartbeat);
    const [metrics] = await computeMetricsInThread(task, { signal: heartbeat.signal });
    if (metrics) await saveMetrics(ctx, id, metrics, (task.members[0]?.length ?? 0) > 0);
    return undefined;
  } catch (error) {
    if (error instanceof JobStopped) return requeueResult;
    throw error;
  }
}

/** First the cluster. The others are limited to what fits, equally. */
async function loadMetricsTask(
  ctx: Ctx,
  cluster: ClusterRecord,
  heartbeat: JobHeartbeat,
): Promise<ClusterMetricsTask> {
  const { db } = ctx.engine;
  const { accountId } = ctx.actor;
  const siblings = await siblingsOf(db, accountId, cluster);
  const ownMax = siblings.length === 0 ? rowsMax : rowsMax / 2;
  const otherMax = Math.max(2, Math.floor(rowsMax / 2 / Math.max(1, siblings.length)));
  const rowOf = new Map<string, number>();
  const vectors: Float64Array[] = [];
  const members: Uint32Array[] = [];
  for (const [i, { member_set_id }] of [cluster, ...siblings].entries()) {
    if (vectors.length >= rowsMax) break;
    const rows: number[] = [];
    const max = i === 0 ? ownMax : otherMax;
    for (let after = nilUuid; rows.length < max; ) {
      const limit = Math.min(pageRows, max - rows.length);
      const page = await listMembersAfter(db, accountId, member_set_id, after, limit);
      const stored = await readVectors(db, accountId, page);
      for (const id of page) {
        const vector = stored.vectors.get(id);
        const unit = vector && toUnitVector(vector);
        if (!unit || (vectors[0] && unit.length !== vectors[0].length)) continue;
        const row = rowOf.get(id) ?? vectors.push(unit) - 1;
        rowOf.set(id, row);
        rows.push(row);
      }
      heartbeat.signal.throwIfAborted();
      const last = page.at(-1);
      if (last === undefined || page.length < limit) break;
      after = last;
    }
    if (i === 0 || rows.length > 0) members.push(Uint32Array.from(rows));
  }
  const dimension = vectors[0]?.length ?? 1;
  const rows = new Float32Array(vectors.length * dimension);
  for (const [row, vector] of vectors.entries()) rows.set(vector, row * dimension);
  return { dimension, vectors: rows, members, seed };
}

async function saveMetrics(
  ctx: Ctx,
  id: string,
  metrics: ClusterMetrics,
  isFilled: boolean,
): Promise<void> {
  const scores = isFilled ? metrics : { silhouette: null, dbcv: null, cohesion: null };
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { accountId } = actor;
    await lockClustering(tx, accountId);
    const before = await findCluster(tx, accountId, id);
    if (!before) return;
    await saveClusterScores(tx, accountId, id, scores, clock.now());
    const after = await findCluster(tx, accountId, id);
    if (after) publishClusterUpdated(inTx, before, after);
  });
}
