import { type ContentType, type CreatedMemory, limits, type UploadFields } from '@mneme/contract';
import { sharedOwner } from '../../../events/shared-owner.ts';
import { StoredResponseExists } from '../../../instance/idempotency-store.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import { NotMedia, type ProbeResult } from '../../../providers/ffmpeg/index.ts';
import { scheduleBlobRemoval, tryRemoveBlob } from '../../blobs/index.ts';
import type { Ctx, TxCtx } from '../../ctx.ts';
import type { Reply } from '../../handler.ts';
import {
  createMemories,
  type MemoryRecord,
  type NewMemory,
  presentCurrentMemory,
  replyWithCreated,
} from '../../memories/index.ts';
import { afterMediaInsert } from '../hooks.ts';
import { ffmpegQueueTimeoutMs, isFinalRejection, titleOf, toUnavailableError } from '../model.ts';
import { findMemoryByHash, insertFile } from '../store/files.ts';
import { thumbnailKind } from '../video/thumbnail.ts';
import { isMarkdown, readTextFile, type UploadedFile } from './uploaded-file.ts';

/** Writes additional rows in the transaction that inserts the memory. */
type StoreCallback = (inTx: TxCtx, record: MemoryRecord) => Promise<void>;

/** Number of bytes that are read to detect a text that is too long. */
const headBytes = 65_536;

/**
 * Creates a memory from an uploaded file: a text becomes the content; audio and video are stored as
 * files. A rejection removes the blob. Throws 400 invalid_request for any other file, 422
 * content_too_large, 409 duplicate_memory, 503 service_unavailable without FFmpeg, and as
 * createMemories.
 */
export async function createMemoryFromFile(
  ctx: Ctx,
  fields: UploadFields,
  arrived: UploadedFile,
  onMemoryStored: StoreCallback = async () => {},
): Promise<Reply<CreatedMemory>> {
  let mayBeCommitted = false;
  const storeRows: StoreCallback = async (inTx, record) => {
    await onMemoryStored(inTx, record);
    mayBeCommitted = true;
  };
  try {
    if (arrived.bytes === 0)
      throw new AppError('invalid_request', { message: 'The file is empty.' });
    const text = await readText(ctx, arrived);
    if (text !== null)
      return await storeText(ctx, fields, { file: arrived, text, onStored: storeRows });
    const probe = await probeRecording(ctx, arrived);
    return await storeMedia(ctx, fields, { file: arrived, probe, onStored: storeRows });
  } catch (error) {
    // If the outcome of the commit is unknown, the row may exist: the orphan job decides later.
    const isRolledBack = error instanceof StoredResponseExists;
    if (!mayBeCommitted || isRolledBack || isFinalRejection(error))
      await tryRemoveBlob(ctx, arrived.name);
    throw toUnavailableError(error);
  }
}

/** Returns null if the file is not a text. Throws 422 content_too_large. */
async function readText(ctx: Ctx, arrived: UploadedFile): Promise<string | null> {
  const max = limits.contentBytesMax;
  if (arrived.bytes <= max) return readTextFile(ctx, arrived, max);
  const isText = (await readTextFile(ctx, arrived, headBytes)) !== null;
  if (!isText) return null;
  throw new AppError('content_too_large', { details: { max_bytes: max } });
}

/** Throws 400 invalid_request if the file is not a recording, and ToolMissing. */
export async function probeRecording(
  ctx: Ctx,
  { name }: Pick<UploadedFile, 'name'>,
): Promise<ProbeResult> {
  await using file = await ctx.blobs.openLocalFile(name);
  try {
    return await ctx.ffmpeg.probe(file.path, { queueTimeoutMs: ffmpegQueueTimeoutMs });
  } catch (error) {
    if (!(error instanceof NotMedia)) throw error;
    const message = `The file is neither text nor audio or video: ${error.message}.`;
    throw new AppError('invalid_request', { message, cause: error });
  }
}

interface TextFile {
  readonly file: UploadedFile;
  readonly text: string;
  readonly onStored: StoreCallback;
}

/** Stores the title in the metadata and removes the blob, since the content has its text. */
function storeText(
  ctx: Ctx,
  { title, ...fields }: UploadFields,
  { file, text, onStored }: TextFile,
): Promise<Reply<CreatedMemory>> {
  const metadata = { ...(title === undefined ? {} : { title }), ...fields.metadata };
  const type: ContentType = isMarkdown(text) ? 'markdown' : 'text';
  const body = { ...fields, metadata, content: text, type };
  return createMemories(ctx, [body], async (inTx, [outcome]) => {
    const record = requireStored(outcome);
    await scheduleBlobRemoval(inTx, [file.name]);
    await onStored(inTx, record);
    return replyWithCreated(record, [], inTx.clock.now());
  });
}

interface ProbedFile {
  readonly file: UploadedFile;
  readonly probe: ProbeResult;
  readonly onStored: StoreCallback;
}

function storeMedia(
  ctx: Ctx,
  { allow_duplicate: allowDuplicate = false, ...fields }: UploadFields,
  { file, probe, onStored }: ProbedFile,
): Promise<Reply<CreatedMemory>> {
  return createMemories(ctx, [toRecordingMemory(fields, file, probe)], async (inTx, [outcome]) => {
    const record = requireStored(outcome);
    if (!allowDuplicate) await requireNotDuplicate(inTx, record, file);
    await attachFileToMemory(inTx, record, { file, probe });
    await onStored(inTx, record);
    return replyWithCreated(record, [], inTx.clock.now());
  });
}

/** Skips the content check for duplicates: two recordings may have the same title. */
export const toRecordingMemory = (
  { title, ...fields }: UploadFields,
  { filename }: Pick<UploadedFile, 'filename'>,
  { kind: type }: ProbeResult,
): NewMemory => ({
  ...fields,
  content: title ?? titleOf(filename, type),
  type,
  allow_duplicate: true,
});

function requireStored(outcome: MemoryRecord | AppError | undefined): MemoryRecord {
  if (outcome === undefined) throw new AppError('internal_error');
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** The memory counter of the account is locked, so concurrent duplicates are also detected. */
async function requireNotDuplicate(
  { tx }: TxCtx,
  record: MemoryRecord,
  { sha256 }: UploadedFile,
): Promise<void> {
  const other = await findMemoryByHash(tx, record, sha256);
  if (other !== undefined)
    throw new AppError('duplicate_memory', { details: { memory_id: other } });
}

/** Makes a memory a recording: inserts the file, its event and the first jobs. */
export async function attachFileToMemory(
  inTx: TxCtx,
  record: MemoryRecord,
  { file: arrived, probe }: Pick<ProbedFile, 'file' | 'probe'>,
): Promise<void> {
  const { tx, journal, ids } = inTx;
  const now = inTx.clock.now();
  const { video, audio, format } = probe;
  const file = await insertFile(tx, {
    account_id: record.account_id,
    memory_id: record.id,
    kind: probe.kind,
    blob: arrived.name,
    bytes: arrived.bytes,
    sha256: arrived.sha256,
    filename: arrived.filename,
    mime_type: probe.mimeType,
    duration: probe.duration,
    details: JSON.stringify({ video, audio, format }),
    created_at: now,
  });
  journal.addEvent({
    accountId: record.account_id,
    type: 'audio.uploaded',
    spaceId: record.space_id,
    owner: sharedOwner([record]),
    data: presentCurrentMemory(record, now),
  });
  if (probe.kind === 'video') {
    const job = { id: ids.uuid(), accountId: record.account_id, kind: thumbnailKind };
    await enqueueJob(tx, { ...job, payload: { memory_id: record.id }, spaces: null, runAt: now });
  }
  await afterMediaInsert.run(inTx, inTx, record, file);
}
