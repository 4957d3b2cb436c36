import type { Tx } from '../../../database/index.ts';
import { LeaseLost } from '../../../jobs/job-worker.ts';
import { namedSpeaker } from '../../../text/speaker.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import {
  embedContents,
  findMemory,
  lockMemoriesForNoKeyUpdate,
  type MemoryRecord,
  referenceTimeOf,
} from '../../memories/index.ts';
import {
  type DocumentFacts,
  indexDocuments,
  removeDocuments,
  retryOnModelChange,
} from '../../search-index/index.ts';
import {
  deleteSegmentsOfOtherRuns,
  insertSegments,
  type SegmentOwner,
  type SegmentRecord,
} from './store.ts';

/** A stretch of a recording as it was heard or seen. */
export interface SegmentInput {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string | null;
  readonly confidence: number | null;
  readonly labels: readonly string[] | null;
}

/** Written together, so that whoever writes beside it waits for no more than these. */
const batchSize = 100;

/** A run that has the transcript or the interpretation in hand. */
export interface SegmentRun extends SegmentOwner {
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Whether it still has it; until the transaction ends no other takes it. */
  isClaimed(tx: Tx): Promise<boolean>;
}

/**
 * Writes what a run has heard or seen, in batches that are found one by one: hours of talk in one
 * transaction held everybody up for as long. They count once the run is completed. Throws
 * LeaseLost, 500 embedding_failed.
 */
export async function writeSegments(
  ctx: Ctx,
  run: SegmentRun,
  stretches: readonly SegmentInput[],
): Promise<void> {
  for (let from = 0; from < stretches.length; from += batchSize) {
    run.signal.throwIfAborted();
    const batch = stretches.slice(from, from + batchSize);
    await retryOnModelChange(ctx, () => writeBatch(ctx, run, batch, from));
  }
}

async function writeBatch(
  ctx: Ctx,
  { accountId, memoryId, modality, attempt, isClaimed }: SegmentRun,
  batch: readonly SegmentInput[],
  from: number,
): Promise<void> {
  const memory = await findMemory(ctx.engine.db, accountId, memoryId);
  if (!memory) throw new LeaseLost();
  const occurred_at = referenceTimeOf(memory);
  const items = batch.map((stretch) => ({ content: segmentText(stretch), occurred_at }));
  const contents = await embedContents(ctx, items);
  await withTransaction(ctx, async (inTx) => {
    // Held first, so that it neither moves nor goes before its segments are there.
    const [current] = await lockMemoriesForNoKeyUpdate(inTx.tx, accountId, [memoryId]);
    if (!current || !(await isClaimed(inTx.tx))) throw new LeaseLost();
    const records = batch.map((stretch, i): SegmentRecord => {
      const { start: start_time, end: end_time, text, speaker, confidence, labels } = stretch;
      const place = { account_id: accountId, memory_id: memoryId, modality, attempt };
      const said = {
        start_time,
        end_time,
        text,
        speaker,
        confidence,
        labels: labels && [...labels],
      };
      return { ...place, id: inTx.ids.uuid(), number: from + i, ...said };
    });
    await insertSegments(inTx.tx, records);
    indexDocuments(
      inTx,
      records.flatMap((record, i) => {
        const content = contents[i];
        return content ? [{ ...toSegmentFacts(current, record), content }] : [];
      }),
    );
  });
}

/** Removes those of other runs, in batches: of a former one, and of those that broke off. */
export async function removeSegmentsOfOtherRuns(
  ctx: Ctx,
  place: SegmentOwner,
  keep: readonly (number | null)[],
): Promise<void> {
  const attempts = keep.filter((attempt) => attempt !== null);
  for (;;) {
    const gone = await withTransaction(ctx, async (inTx) => {
      const ids = await deleteSegmentsOfOtherRuns(inTx.tx, place, attempts, batchSize);
      removeDocuments(inTx, ids);
      return ids.length;
    });
    if (gone < batchSize) return;
  }
}

/** What a stretch is found by: its words, and what a frame was labelled with. */
export const segmentText = ({ text, labels }: Pick<SegmentInput, 'text' | 'labels'>): string =>
  labels && labels.length > 0 ? `${text}\n${labels.join(', ')}` : text;

/**
 * The filterable side of a segment's document: that of its memory. It is no turn of a session, and
 * its salience is its memory's affair.
 */
export const toSegmentFacts = (memory: MemoryRecord, segment: SegmentRecord): DocumentFacts => ({
  accountId: memory.account_id,
  id: segment.id,
  kind: 'audio_segment',
  spaceId: memory.space_id,
  sessionId: null,
  sessionOrdinal: null,
  speaker: namedSpeaker(segment.speaker),
  role: null,
  contentType: memory.content_type,
  tags: memory.tags,
  priority: memory.priority,
  pinned: memory.is_pinned,
  salience: null,
  salienceAt: null,
  occurredAt: memory.occurred_at,
  createdAt: memory.created_at,
  hidden: memory.deleted_at !== null,
});
