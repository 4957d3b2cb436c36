import { isStorageError } from '../../database/index.ts';
import { type RunningJob, requeueResult } from '../../jobs/job-worker.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { listMemoriesAfter, type MemoryRecord, memoriesInTx } from '../memories/index.ts';
import {
  type ExtractedBatch,
  extractMemoryRecords,
  filterExistingMemories,
  publishExtractionEvents,
  readSpeakerFacts,
} from './process-batch.ts';
import { recordExtractions } from './record-extractions.ts';
import { lockAccountGraph } from './store/assertion-log.ts';

/** Queued by migration 0014, for each account that had memories. */
export const backfillExtractionsKind = 'knowledge.read_stored';

/** Queued by migration 0039: memories in which somebody speaks of themselves, extracted again. */
export const backfillSpeakersKind = 'knowledge.read_speakers';

const pageLimits = { rows: 50, bytes: 1_048_576 };

/** The progress of the backfill: the payload of its job. */
interface BackfillState {
  /** The last processed memory; null: none. */
  after: string | null;
  /** The last memory to process: later ones were extracted when they were created. */
  readonly last: string;
  rows: number;
  readonly expected: number;
}

/**
 * Job: extracts the memories that an account had before extraction existed, in the order of their
 * ids. Results are recorded as differences, so processing a memory twice changes nothing.
 */
export const backfillExtractions = (
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> => backfill(app, job, async (_, records) => records);

/** Job: what memories say of their speakers, which an earlier version did not extract. */
export const backfillSpeakers = (
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> => backfill(app, job, withSpeakerFacts);

async function withSpeakerFacts(
  ctx: Ctx,
  records: readonly MemoryRecord[],
): Promise<MemoryRecord[]> {
  const found: MemoryRecord[] = [];
  for (const record of records) {
    if ((await readSpeakerFacts(ctx, record)).length > 0) found.push(record);
  }
  return found;
}

/** Which of some memories are extracted. */
type Selection = (ctx: Ctx, records: readonly MemoryRecord[]) => Promise<readonly MemoryRecord[]>;

async function backfill(
  app: App,
  job: RunningJob,
  select: Selection,
): Promise<typeof requeueResult | undefined> {
  if (job.accountId === null) throw new Error('the backfill job has no account');
  const ctx = systemCtx(app, job.accountId);
  const state = { ...job.payload } as unknown as BackfillState;
  for (;;) {
    const page = await listMemoriesAfter(ctx.engine.db, job.accountId, state.after, pageLimits);
    const stored = page.filter(({ id }) => id <= state.last);
    if (stored.length === 0) return undefined;
    const processed = await backfillPage(ctx, stored, select, () => job.shouldYield());
    state.after = stored[processed - 1]?.id ?? state.last;
    state.rows += processed;
    await job.saveProgress(Math.min(1, state.rows / Math.max(state.expected, 1)), { ...state });
    if (job.shouldYield()) return requeueResult;
  }
}

/**
 * Processes these memories, or the first of them, and returns how many. On failure it halves the
 * batch; a memory that fails alone is skipped, so that it does not block the others.
 */
async function backfillPage(
  ctx: Ctx,
  stored: readonly MemoryRecord[],
  select: Selection,
  shouldStop: () => boolean,
): Promise<number> {
  try {
    return await backfillBatch(ctx, stored, select, shouldStop);
  } catch (error) {
    if (isStorageError(error)) throw error;
    if (stored.length > 1)
      return backfillPage(ctx, stored.slice(0, stored.length >> 1), select, shouldStop);
    ctx.log.error(
      { err: error, memory: stored[0]?.id },
      'memory extraction failed; memory skipped',
    );
    return 1;
  }
}

async function backfillBatch(
  ctx: Ctx,
  stored: readonly MemoryRecord[],
  select: Selection,
  shouldStop: () => boolean,
): Promise<number> {
  // Soft-deleted memories are extracted when they are restored.
  const active = stored.filter(({ deleted_at: deleted }) => deleted === null);
  const records = await select(ctx, active);
  if (records.length === 0) return stored.length;
  const read = await extractMemoryRecords(ctx, records, { shouldStop });
  await withTransaction(ctx, async (inTx) => {
    // First, because they lock rows of memories: the graph lock comes after those.
    for (const write of read.batch.writes) await write(inTx);
    const unchangedIds = await filterExistingMemories(inTx, read.extractions);
    await lockAccountGraph(inTx.tx, inTx.actor.accountId);
    const unchanged = await findUnchanged(inTx, read.batch);
    const current = unchangedIds.filter(({ memoryId }) => unchanged.has(memoryId));
    await publishExtractionEvents(inTx, await recordExtractions(inTx, current));
  });
  if (read.extractions.length === records.length) return stored.length;
  const { id } = records[read.extractions.length - 1] ?? {};
  return stored.findIndex((one) => one.id === id) + 1;
}

/**
 * Memories that still have the extracted text; the others have an event for the extraction worker.
 */
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
