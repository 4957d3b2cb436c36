import { isStorageError } from '../../database/index.ts';
import { type RunningJob, requeue } from '../../jobs/job-worker.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { listMemoriesAfter, type MemoryRecord, memoriesInTx } from '../memories/index.ts';
import {
  type ExtractedBatch,
  extractRecords,
  filterExisting,
  publishExtracted,
} from './process-batch.ts';
import { recordExtractions } from './record-extractions.ts';
import { lockAccountGraph } from './store/assertion-log.ts';

/** Queued by migration 0014, for each account that had memories. */
export const backfillExtractionsKind = 'knowledge.read_stored';

const pageLimits = { rows: 50, bytes: 1_048_576 };

/** Where it is: the payload of its job. */
interface BackfillState {
  /** The memory that was read last; null: none. */
  after: string | null;
  /** The last one to be read: what came later was read as it came. */
  readonly last: string;
  rows: number;
  readonly expected: number;
}

/**
 * Job: reads the memories that an account had before there was knowledge, in the order of their
 * ids. What was read is recorded as a difference, so that reading it twice changes nothing.
 */
export async function backfillExtractions(
  app: App,
  job: RunningJob,
): Promise<typeof requeue | undefined> {
  if (job.accountId === null) throw new Error('a job that reads has an account');
  const ctx = systemCtx(app, job.accountId);
  const state = { ...job.payload } as unknown as BackfillState;
  for (;;) {
    const found = await listMemoriesAfter(ctx.engine.db, job.accountId, state.after, pageLimits);
    const stored = found.filter(({ id }) => id <= state.last);
    if (stored.length === 0) return undefined;
    const read = await backfillPage(ctx, stored, () => job.shouldYield());
    state.after = stored[read - 1]?.id ?? state.last;
    state.rows += read;
    await job.saveProgress(Math.min(1, state.rows / Math.max(state.expected, 1)), { ...state });
    if (job.shouldYield()) return requeue;
  }
}

/**
 * Reads and records these, or the first of them, and returns how many. Where that fails, half as
 * many: what fails by itself is left unread, and holds up no other.
 */
async function backfillPage(
  ctx: Ctx,
  stored: readonly MemoryRecord[],
  isOver: () => boolean,
): Promise<number> {
  try {
    return await backfillBatch(ctx, stored, isOver);
  } catch (error) {
    if (isStorageError(error)) throw error;
    if (stored.length > 1) return backfillPage(ctx, stored.slice(0, stored.length >> 1), isOver);
    ctx.log.error({ err: error, memory: stored[0]?.id }, 'a stored memory is left unread');
    return 1;
  }
}

async function backfillBatch(
  ctx: Ctx,
  stored: readonly MemoryRecord[],
  isOver: () => boolean,
): Promise<number> {
  // What is softly deleted is read when it returns.
  const records = stored.filter(({ deleted_at: deleted }) => deleted === null);
  if (records.length === 0) return stored.length;
  const read = await extractRecords(ctx, records, { shouldStop: isOver });
  await withTransaction(ctx, async (inTx) => {
    // First, since they lock rows of memories: knowledge comes after those.
    for (const write of read.batch.writes) await write(inTx);
    const there = await filterExisting(inTx, read.extractions);
    await lockAccountGraph(inTx.tx, inTx.actor.accountId);
    const same = await findUnchanged(inTx, read.batch);
    const current = there.filter(({ memoryId }) => same.has(memoryId));
    await publishExtracted(inTx, await recordExtractions(inTx, current));
  });
  const { id } = records[read.extractions.length - 1] ?? {};
  return stored.findIndex((one) => one.id === id) + 1;
}

/** Those that say what was read: of another one, an event tells the reader. */
async function findUnchanged(
  inTx: TxCtx,
  { records }: ExtractedBatch['batch'],
): Promise<Set<string>> {
  const ids = records.map(({ id }) => id);
  const current = await memoriesInTx(inTx, ids);
  const isSame = (before: MemoryRecord): boolean => {
    const now = current.get(before.id);
    return (
      now?.content === before.content &&
      now.space_id === before.space_id &&
      now.occurred_at?.getTime() === before.occurred_at?.getTime()
    );
  };
  return new Set(records.filter(isSame).map(({ id }) => id));
}
