import { nameFromSpeakerLabel } from '@mneme/text';
import type { Tx } from '../../../database/index.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import {
  embedContents,
  findMemory,
  lockMemoriesForNoKeyUpdate,
  type MemoryRecord,
  referenceTimeOf,
} from '../../memories/index.ts';
import {
  type DocumentAttributes,
  indexDocuments,
  removeDocuments,
  retryOnModelChange,
} from '../../search-index/index.ts';
import {
  deleteSegmentsOfOtherRuns,
  insertSegments,
  type SegmentOwner,
  type SegmentRecord,
} from './store/segments.ts';

/** A time range of a recording with its transcript or frame description. */
export interface SegmentInput {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string | null;
  readonly confidence: number | null;
  readonly labels: readonly string[] | null;
}

/** Segments per transaction: limits how long concurrent writers wait. */
const batchSize = 100;

/** The run that has claimed the transcript or interpretation. */
export interface SegmentRun extends SegmentOwner {
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Whether the claim is still valid; no other run can claim it until the transaction ends. */
  isClaimed(tx: Tx): Promise<boolean>;
}

/**
 * Writes the segments of a run in batches: hours of speech in one transaction would block other
 * writers. They become visible when the run completes. Throws LeaseLost, 500 embedding_failed.
 */
export async function writeSegments(
  ctx: Ctx,
  run: SegmentRun,
  inputs: readonly SegmentInput[],
): Promise<void> {
  for (let from = 0; from < inputs.length; from += batchSize) {
    run.signal.throwIfAborted();
    const batch = inputs.slice(from, from + batchSize);
    await retryOnModelChange(ctx, () => writeBatch(ctx, run, batch, from));
  }
}

async function writeBatch(
  ctx: Ctx,
  { accountId, memoryId, modality, attempt, isClaimed }: SegmentRun,
  batch: readonly SegmentInput[],
  from: number,
): Promise<void> {
  const memory = await findMemory(ctx, memoryId);
  if (!memory) throw new LeaseLost();
  const occurred_at = referenceTimeOf(memory);
  const items = batch.map((input) => ({ content: segmentText(input), occurred_at }));
  const contents = await embedContents(ctx, items, 'final');
  await withTransaction(ctx, async (inTx) => {
    // Locked first, so that the memory is not moved or deleted before its segments are inserted.
    const [current] = await lockMemoriesForNoKeyUpdate(inTx.tx, accountId, [memoryId]);
    if (!current || !(await isClaimed(inTx.tx))) throw new LeaseLost();
    const records = batch.map((input, i): SegmentRecord => {
      const { start: start_time, end: end_time, text, speaker, confidence, labels } = input;
      const owner = { account_id: accountId, memory_id: memoryId, modality, attempt };
      const fields = {
        start_time,
        end_time,
        text,
        speaker,
        confidence,
        labels: labels && [...labels],
      };
      return { ...owner, id: inTx.ids.uuid(), number: from + i, ...fields };
    });
    await insertSegments(inTx.tx, records);
    indexDocuments(
      inTx,
      records.flatMap((record, i) => {
        const content = contents[i];
        return content ? [{ ...toSegmentAttributes(current, record), content }] : [];
      }),
    );
  });
}

/** Removes the segments of earlier and interrupted runs, in batches. */
export async function removeSegmentsOfOtherRuns(
  ctx: Ctx,
  owner: SegmentOwner,
  keptAttempts: readonly (number | null)[],
): Promise<void> {
  const attempts = keptAttempts.filter((attempt) => attempt !== null);
  for (;;) {
    const deleted = await withTransaction(ctx, async (inTx) => {
      const ids = await deleteSegmentsOfOtherRuns(inTx.tx, owner, attempts, batchSize);
      removeDocuments(inTx, ids);
      return ids.length;
    });
    if (deleted < batchSize) return;
  }
}

/** The indexed text: the transcript or description, and the labels of a frame. */
export const segmentText = ({ text, labels }: Pick<SegmentInput, 'text' | 'labels'>): string =>
  labels && labels.length > 0 ? `${text}\n${labels.join(', ')}` : text;

/**
 * The filterable fields of a segment's document, copied from its memory. It has no session, and its
 * salience is that of the memory.
 */
export const toSegmentAttributes = (
  memory: MemoryRecord,
  segment: SegmentRecord,
): DocumentAttributes => ({
  accountId: memory.account_id,
  id: segment.id,
  kind: 'audio_segment',
  spaceId: memory.space_id,
  userId: memory.user_id,
  agentId: memory.agent_id,
  runId: memory.run_id,
  sessionId: null,
  sessionOrdinal: null,
  speaker: nameFromSpeakerLabel(segment.speaker),
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
