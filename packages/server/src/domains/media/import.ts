import type { ArchiveRecord, SegmentModality } from '@mneme/contract';
import { enqueueJob } from '../../jobs/job-queue.ts';
import { AppError } from '../../kernel/errors.ts';
import type { StoredBlob } from '../../providers/blobs/index.ts';
import { tryRemoveBlob } from '../blobs/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import type { ImportOptions, ImportOutcome } from '../import-outcome.ts';
import {
  embedContents,
  lockMemoriesForNoKeyUpdate,
  memoriesById,
  referenceTimeOf,
} from '../memories/index.ts';
import { indexDocuments, retryOnModelChange } from '../search-index/index.ts';
import { segmentText, toSegmentAttributes } from './segments/segments.ts';
import {
  insertSegments,
  type SegmentRecord,
  segmentsOfMemories,
} from './segments/store/segments.ts';
import { insertFile } from './store/files.ts';
import {
  findRecordings,
  findRecordingsOfJob,
  insertImportedInterpretation,
  insertImportedTranscript,
} from './store/imports.ts';
import { probeRecording } from './uploads/create-from-file.ts';
import { thumbnailKind } from './video/thumbnail.ts';

type Media = ArchiveRecord<'media'>;

/** Which of these memories of the account have a file. */
export const findImportedRecordings = (
  { engine, actor }: Ctx,
  memoryIds: readonly string[],
): Promise<Set<string>> => findRecordings(engine.db, actor.accountId, memoryIds);

/**
 * Makes a memory of an import a recording again. What the file is comes from its bytes, not from
 * the archive. Removes the blob if it is not used. Throws 503 service_unavailable without FFmpeg.
 */
export async function importRecording(
  ctx: Ctx,
  media: Media,
  blob: StoredBlob,
  beforeCommit: (inTx: TxCtx, outcome: ImportOutcome) => Promise<void>,
): Promise<ImportOutcome> {
  const probe = await probeRecording(ctx, blob).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_request') return null;
    throw error;
  });
  const outcome = await withTransaction(ctx, async (inTx): Promise<ImportOutcome> => {
    const { tx, actor, ids } = inTx;
    const { accountId } = actor;
    const [memory] = await lockMemoriesForNoKeyUpdate(tx, accountId, [media.memory_id]);
    const isKnown = (await findRecordings(tx, accountId, [media.memory_id])).size > 0;
    const stored: ImportOutcome = isKnown
      ? 'unchanged'
      : !memory
        ? 'memory_missing'
        : probe === null || probe.kind !== memory.content_type
          ? 'file_invalid'
          : 'created';
    if (stored === 'created' && probe !== null) {
      const { video, audio, format } = probe;
      await insertFile(tx, {
        account_id: accountId,
        memory_id: media.memory_id,
        kind: probe.kind,
        blob: blob.name,
        bytes: blob.bytes,
        sha256: blob.sha256,
        filename: media.filename,
        mime_type: probe.mimeType,
        duration: probe.duration,
        details: JSON.stringify({ video, audio, format }),
        created_at: media.created_at,
      });
      if (probe.kind === 'video') {
        const payload = { memory_id: media.memory_id };
        const job = { id: ids.uuid(), accountId, kind: thumbnailKind, payload, spaces: null };
        await enqueueJob(tx, { ...job, runAt: inTx.clock.now() });
      }
    }
    await beforeCommit(inTx, stored);
    return stored;
  });
  if (outcome !== 'created') await tryRemoveBlob(ctx, blob.name);
  return outcome;
}

/** The attempt under which an import stores what was said and shown. */
const importedAttempt = 1;

export const importTranscripts = (
  inTx: TxCtx,
  records: readonly ArchiveRecord<'transcripts'>[],
  jobId: string,
  options: ImportOptions,
): Promise<ImportOutcome[]> =>
  importReadings(inTx, records, options, ({ options, entities, chapters, ...record }) =>
    insertImportedTranscript(inTx.tx, {
      ...record,
      ...completedReading(inTx, jobId),
      options: JSON.stringify(options),
      entities: entities === null ? null : JSON.stringify(entities),
      chapters: chapters === null ? null : JSON.stringify(chapters),
    }),
  );

export const importInterpretations = (
  inTx: TxCtx,
  records: readonly ArchiveRecord<'interpretations'>[],
  jobId: string,
  options: ImportOptions,
): Promise<ImportOutcome[]> =>
  importReadings(inTx, records, options, (record) =>
    insertImportedInterpretation(inTx.tx, { ...record, ...completedReading(inTx, jobId) }),
  );

const completedReading = ({ actor }: TxCtx, jobId: string) => ({
  account_id: actor.accountId,
  job_id: jobId,
  status: 'completed' as const,
  attempt: importedAttempt,
  completed_attempt: importedAttempt,
});

/** @param insert false: the recording has one already */
async function importReadings<R extends { readonly memory_id: string }>(
  { tx, actor }: TxCtx,
  records: readonly R[],
  { isDryRun }: ImportOptions,
  insert: (record: R) => Promise<boolean>,
): Promise<ImportOutcome[]> {
  const ids = records.map(({ memory_id }) => memory_id);
  const recordings = await findRecordings(tx, actor.accountId, ids);
  const outcomes: ImportOutcome[] = [];
  for (const record of records) {
    if (isDryRun) outcomes.push('created');
    else if (!recordings.has(record.memory_id)) outcomes.push('file_missing');
    else outcomes.push((await insert(record)) ? 'created' : 'unchanged');
  }
  return outcomes;
}

interface SegmentImport extends ImportOptions {
  readonly jobId: string;
  readonly beforeCommit: (inTx: TxCtx, outcomes: readonly ImportOutcome[]) => Promise<void>;
}

/**
 * Stores and indexes the segments of transcripts and interpretations that the same import has
 * stored; others have segments of their own. Throws embedding_failed.
 */
export const importSegments = (
  ctx: Ctx,
  records: readonly ArchiveRecord<'segments'>[],
  { jobId, isDryRun, beforeCommit }: SegmentImport,
): Promise<void> =>
  retryOnModelChange(ctx, async () => {
    const { accountId } = ctx.actor;
    const memoryIds = [...new Set(records.map(({ memory_id }) => memory_id))];
    const recordings = await memoriesById(ctx, memoryIds);
    const items = records.map((segment) => {
      const memory = recordings.get(segment.memory_id);
      const occurred_at = memory ? referenceTimeOf(memory) : ctx.clock.now();
      return { content: segmentText(segment), occurred_at };
    });
    const contents = isDryRun ? [] : await embedContents(ctx, items, 'final');
    await withTransaction(ctx, async (inTx) => {
      const { tx, ids } = inTx;
      const locked = await lockMemoriesForNoKeyUpdate(tx, accountId, memoryIds);
      const memories = new Map(locked.map((memory) => [memory.id, memory]));
      const ours = async (modality: SegmentModality) =>
        findRecordingsOfJob(tx, accountId, { modality, jobId }, memoryIds);
      const own = { speech: await ours('speech'), frame: await ours('frame') };
      const stored = await segmentsOfMemories(tx, accountId, memoryIds);
      const keyOf = (one: Pick<SegmentRecord, 'memory_id' | 'modality' | 'number'>): string =>
        `${one.memory_id} ${one.modality} ${one.number}`;
      const known = new Set(stored.map(keyOf));
      const rows = records.map((record): SegmentRecord | null => {
        if (!own[record.modality].has(record.memory_id) || known.has(keyOf(record))) return null;
        known.add(keyOf(record));
        return { ...record, account_id: accountId, id: ids.uuid(), attempt: importedAttempt };
      });
      const created = rows.filter((row) => row !== null);
      if (created.length > 0) await insertSegments(tx, created);
      indexDocuments(
        inTx,
        rows.flatMap((row, i) => {
          const [content, memory] = [contents[i], memories.get(row?.memory_id ?? '')];
          return row && content && memory ? [{ ...toSegmentAttributes(memory, row), content }] : [];
        }),
      );
      await beforeCommit(
        inTx,
        rows.map((row) => (isDryRun || row !== null ? 'created' : 'unchanged')),
      );
    });
  });
