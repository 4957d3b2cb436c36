import type { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../../kernel/adaptive-batch-size.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { requireRunOwnership } from '../runs/run-ownership.ts';
import {
  deleteMapPointBatch,
  deleteStagedMaps,
  insertPlaces,
  insertStagedMap,
  publishStagedMap,
} from '../store/maps.ts';
import type { RunRecord } from '../store/runs.ts';

export const eraseMapsKind = 'clusters.erase_maps';
/** Maximum number of rows deleted at once; more are deleted in small steps. */
const inlineRowsMax = 200;

interface LaidOutMemories {
  /** By row. */
  readonly ids: readonly string[];
  /** x and y of each row. */
  readonly places: Float32Array;
}

/** Stores the places of a run in small steps; nobody sees them before the run publishes its map. */
export async function stageMap(
  ctx: Ctx,
  run: RunRecord,
  { ids, places }: LaidOutMemories,
  heartbeat: JobHeartbeat,
): Promise<void> {
  const { account_id, space_id } = run;
  const map = {
    account_id,
    id: ctx.ids.uuid(),
    space_id,
    run_id: run.id,
    created_at: ctx.clock.now(),
  };
  await withTransaction(ctx, async (inTx) => {
    await requireRunOwnership(inTx, run);
    await insertStagedMap(inTx.tx, map);
  });
  const adaptiveBatch = new AdaptiveBatchSize(ctx.clock);
  for (let done = 0; done < ids.length; ) {
    await adaptiveBatch.run(async (rows) => {
      const batch = ids.slice(done, done + rows).map((memoryId, i) => ({
        memoryId,
        x: places[2 * (done + i)] as number,
        y: places[2 * (done + i) + 1] as number,
      }));
      await withTransaction(ctx, async (inTx) => {
        await insertPlaces(inTx.tx, account_id, map.id, batch);
        await requireRunOwnership(inTx, run);
      });
      done += batch.length;
    });
    heartbeat.reportProgress(0.9 + (0.1 * done) / ids.length);
  }
}

/** Replaces the former map of the scope by the staged one. */
export async function publishMap(inTx: TxCtx, { id, space_id }: RunRecord): Promise<void> {
  await deletePoints(inTx, await publishStagedMap(inTx.tx, inTx.actor.accountId, id, space_id));
}

/** Deletes the map that a run has staged. */
export async function deleteStagedMap(inTx: TxCtx, runId: string): Promise<void> {
  await deletePoints(inTx, await deleteStagedMaps(inTx.tx, inTx.actor.accountId, runId));
}

/** Deletes the points of maps that do not exist any more. */
export async function deletePoints(
  { tx, actor, clock, ids }: Pick<TxCtx, 'tx' | 'actor' | 'clock' | 'ids'>,
  mapIds: readonly string[],
): Promise<void> {
  if (mapIds.length === 0) return;
  const { accountId } = actor;
  if ((await deleteMapPointBatch(tx, accountId, mapIds, inlineRowsMax)) < inlineRowsMax) return;
  const payload = { map_ids: mapIds };
  const job = { id: ids.uuid(), accountId, kind: eraseMapsKind, payload, runAt: clock.now() };
  await enqueueJob(tx, { ...job, spaces: null });
}

/** Job: deletes points of maps that do not exist any more, in small steps. */
export async function eraseMapPoints(app: App, job: RunningJob): Promise<void> {
  const { accountId, payload } = job;
  if (accountId === null) return;
  const mapIds = payload.map_ids as string[];
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  const eraseBatch = (rows: number) => deleteMapPointBatch(app.engine.db, accountId, mapIds, rows);
  while ((await adaptiveBatch.run(eraseBatch)) > 0) await job.saveProgress(0.5);
}
