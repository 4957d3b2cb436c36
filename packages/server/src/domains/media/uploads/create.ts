import { limits, type routes, type Upload, type ValidatedRequest } from '@mneme/contract';
import { AppError, headerError } from '../../../kernel/errors.ts';
import { sanitizeFilename } from '../../../kernel/filename.ts';
import { lockCountLimit, requireMemoryQuota } from '../../accounts/index.ts';
import {
  type Ctx,
  requestedUser,
  requireEveryUser,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../../ctx.ts';
import { Reply, type RequestMeta } from '../../handler.ts';
import { requireUsableMemories } from '../../memories/index.ts';
import { requireUsableSpace, resolveSpaceNames } from '../../spaces/index.ts';
import { isRecordingType, requireFfmpeg } from '../model.ts';
import { countUploads, insertUpload, type NewUpload, type UploadRow } from '../store/uploads.ts';
import { discardUpload, receiveUploadParts } from './append.ts';
import { concatenateUploads } from './concatenate.ts';
import { fileTooLargeError } from './form.ts';
import { parseUploadFields, parseUploadMetadata, type UploadMetadata } from './metadata.ts';
import { PartReader } from './part-reader.ts';
import { releaseBuffers } from './release-buffers.ts';
import {
  partialConcatHeader,
  presentUpload,
  uploadProgressHeaders,
  uploadTtlMs,
} from './resumable.ts';

type Headers = ValidatedRequest<typeof routes.media.createUpload>['headers'];

/**
 * Creates an upload, optionally with its first bytes, or concatenates parts. Throws 400
 * invalid_request; 403 user_access_denied; 404, 403 or 409 for a space or a memory to supersede
 * that cannot be used; 413 payload_too_large; 422; 403 quota_exceeded for too many unfinished
 * uploads or if the account has reached its memory limit; 503 service_unavailable for a recording
 * without FFmpeg; for bytes as appendUpload, after the upload is removed.
 */
export async function createUpload(
  ctx: Ctx,
  headers: Headers,
  { bodyStream, contentLength }: Pick<RequestMeta, 'bodyStream' | 'contentLength'>,
): Promise<Reply<Upload>> {
  const concat = headers['upload-concat'];
  if (concat !== undefined && concat !== partialConcatHeader && !concat.startsWith('final;')) {
    throw invalidHeaderError(
      'upload-concat',
      'must be "partial", or "final;" followed by the URLs of the parts',
    );
  }
  const isFinal = concat !== undefined && concat !== partialConcatHeader;
  const length = isFinal ? requireNoLength(headers, contentLength) : parseLength(ctx, headers);
  if (length !== null && (contentLength ?? 0) > length) throw fileTooLargeError(length);
  const sentMetadata = parseUploadMetadata(headers['upload-metadata'] ?? '');
  const metadata = withUser(ctx, await withSpaceId(ctx, sentMetadata));
  const { space_id: spaceId, session_id, supersedes = [] } = parseUploadFields(metadata.fields);
  // Checked now: a job that completes the upload later is not limited to the user.
  if (session_id !== undefined) requireEveryUser(ctx.actor);
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
  await requireUsableMemories(ctx, supersedes);
  await requireMemoryQuota(ctx);
  // The bytes determine the format, but this check rejects a large file before it is sent.
  if (isRecordingType(metadata.filetype)) await requireFfmpeg(ctx);
  const draft = toDraft(ctx, headers, metadata, length);
  if (isFinal)
    return withDeferredCommitHook(ctx, (inner) =>
      concatenateUploads(inner, concat, draft).then(createdResponse(ctx)),
    );
  const parts = new PartReader(releaseBuffers(bodyStream));
  const checksum = headers['upload-checksum'];
  if (checksum === undefined && (await parts.isExhausted())) {
    return withTransaction(ctx, (inTx) => insertDraft(inTx, draft).then(createdResponse(ctx)));
  }
  return withDeferredCommitHook(ctx, async (inner) => {
    const row = await withTransaction(inner, (inTx) => insertDraft(inTx, draft));
    try {
      return createdResponse(ctx)(
        await receiveUploadParts(inner, row, { offset: 0, length, checksum }, parts),
      );
    } catch (error) {
      // The client has not received the URL of the upload, so it cannot resume it.
      await discardUpload(inner, row);
      throw error;
    }
  });
}

/** Replaces the name of a space now: it may change before the last byte. Throws 422. */
async function withSpaceId(ctx: Ctx, metadata: UploadMetadata): Promise<UploadMetadata> {
  if (metadata.fields.space === undefined) return metadata;
  parseUploadFields(metadata.fields);
  const fields = { ...metadata.fields };
  await resolveSpaceNames(ctx, [fields]);
  return { ...metadata, fields };
}

/** Stores the user that the token is limited to. Throws 403 user_access_denied. */
function withUser({ actor }: Ctx, metadata: UploadMetadata): UploadMetadata {
  const user = requestedUser(actor, metadata.fields.user_id);
  return user === undefined
    ? metadata
    : { ...metadata, fields: { ...metadata.fields, user_id: user } };
}

const createdResponse =
  ({ config }: Ctx) =>
  (row: UploadRow): Reply<Upload> => {
    const location = `${config.publicUrl ?? ''}/v1/media/uploads/${row.id}`;
    return new Reply(presentUpload(row), {
      status: 201,
      headers: { location, ...uploadProgressHeaders(row) },
    });
  };

/** Receiving bytes takes several transactions: the commit hook runs once, after the last one. */
async function withDeferredCommitHook<T>(ctx: Ctx, run: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { beforeCommit, ...inner } = ctx;
  const result = await run(inner);
  if (beforeCommit) await ctx.engine.transaction((tx) => beforeCommit(tx, result));
  return result;
}

/** Throws 403 quota_exceeded. */
async function insertDraft({ tx, actor }: TxCtx, draft: NewUpload): Promise<UploadRow> {
  await lockCountLimit(tx, actor.accountId, 'uploads');
  if ((await countUploads(tx, actor.accountId)) >= limits.uploadsMax) {
    const message = `At most ${limits.uploadsMax} uploads may be in progress. Delete one first.`;
    throw new AppError('quota_exceeded', { message });
  }
  return insertUpload(tx, draft);
}

function toDraft(
  { actor, ids, clock }: Ctx,
  { 'upload-metadata': metadataHeader = '', 'upload-concat': concat }: Headers,
  { filename, fields }: UploadMetadata,
  length: number | null,
): NewUpload {
  const now = clock.now();
  return {
    account_id: actor.accountId,
    id: ids.uuid(),
    length,
    filename: sanitizeFilename(filename),
    fields: JSON.stringify(fields),
    upload_metadata: metadataHeader.trim() === '' ? null : metadataHeader,
    concat: concat ?? null,
    spaces: visibleSpaces(actor),
    created_at: now,
    expires_at: new Date(now.getTime() + uploadTtlMs),
  };
}

/** Null if a later request sends it. Throws 400 invalid_request, 413 payload_too_large. */
function parseLength({ config }: Ctx, headers: Headers): number | null {
  const { 'upload-length': length, 'upload-defer-length': deferred } = headers;
  if ((length === undefined) === (deferred === undefined)) {
    throw invalidHeaderError(
      'upload-length',
      'is required, unless Upload-Defer-Length: 1 is sent instead',
    );
  }
  const bytesMax = config.media.uploadBytesMax;
  if ((length ?? 0) > bytesMax) throw fileTooLargeError(bytesMax);
  return length ?? null;
}

function requireNoLength(headers: Headers, bytesToCome: number | null): null {
  const { 'upload-length': length, 'upload-defer-length': deferred } = headers;
  if (length !== undefined || deferred !== undefined) {
    throw invalidHeaderError(
      'upload-length',
      'must not be sent for a final upload: it follows from the parts',
    );
  }
  if ((bytesToCome ?? 0) === 0) return null;
  throw new AppError('invalid_request', {
    message: 'The request for a final upload must not have a body.',
  });
}

const invalidHeaderError = (name: string, message: string): AppError =>
  headerError({ [name]: { code: 'invalid_format', message } });
