import { type Checked, limits, type routes, type Upload } from '@mneme/contract';
import { AppError, headerError } from '../../../kernel/errors.ts';
import { plainFilename } from '../../../kernel/filename.ts';
import { holdCount, requireRoom } from '../../accounts/index.ts';
import { type Ctx, type TxCtx, visibleSpaces, withTransaction } from '../../ctx.ts';
import { type Conditions, Reply } from '../../handle.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import { isRecordingType, requireFfmpeg } from '../model.ts';
import { countUploads, insertUpload, type NewUpload, type UploadRow } from '../store/uploads.ts';
import { giveUp, takeIn } from './append.ts';
import { concatenate } from './concatenate.ts';
import { tooLarge } from './form.ts';
import { lettingGo } from './let-go.ts';
import { fieldsOf, readMetadata, type UploadMetadata } from './metadata.ts';
import { Parts } from './parts.ts';
import { partial, presentUpload, restMs, stateOf } from './resumable.ts';

type Headers = Checked<typeof routes.media.createUpload>['headers'];

/**
 * Begins an upload, with its first bytes where the request has them, or puts parts together. Throws
 * 400 invalid_request, 413 payload_too_large, 422, 403 quota_exceeded for too many that are under
 * way, and where the account has no room for what would come of it; 503 service_unavailable for a
 * recording where there is no FFmpeg; as appendUpload for bytes, and then nothing is left of it.
 */
export async function createUpload(
  ctx: Ctx,
  headers: Headers,
  { bytes, bytesToCome }: Pick<Conditions, 'bytes' | 'bytesToCome'>,
): Promise<Reply<Upload>> {
  const concat = headers['upload-concat'];
  if (concat !== undefined && concat !== partial && !concat.startsWith('final;')) {
    throw badHeader('upload-concat', 'must be partial, or final; and the addresses of parts');
  }
  const isFinal = concat !== undefined && concat !== partial;
  const length = isFinal ? refuseLength(headers, bytesToCome) : lengthIn(ctx, headers);
  if (length !== null && (bytesToCome ?? 0) > length) throw tooLarge(length);
  const metadata = readMetadata(headers['upload-metadata'] ?? '');
  const { space_id: spaceId } = fieldsOf(metadata.fields);
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
  await requireRoom(ctx);
  // What it is, its bytes tell; but gigabytes need not come to be refused.
  if (isRecordingType(metadata.filetype)) await requireFfmpeg(ctx);
  const draft = draftOf(ctx, headers, metadata, length);
  if (isFinal) return sealed(ctx, (inner) => concatenate(inner, concat, draft).then(created(ctx)));
  const parts = new Parts(lettingGo(bytes));
  const checksum = headers['upload-checksum'];
  if (checksum === undefined && (await parts.isOver())) {
    return withTransaction(ctx, (inTx) => insert(inTx, draft).then(created(ctx)));
  }
  return sealed(ctx, async (inner) => {
    const row = await withTransaction(inner, (inTx) => insert(inTx, draft));
    try {
      return created(ctx)(await takeIn(inner, row, { offset: 0, length, checksum }, parts));
    } catch (error) {
      // Its client knows no address to go on at.
      await giveUp(inner, row);
      throw error;
    }
  });
}

const created =
  ({ config }: Ctx) =>
  (row: UploadRow): Reply<Upload> => {
    const location = `${config.publicUrl ?? ''}/v1/media/uploads/${row.id}`;
    return new Reply(presentUpload(row), { status: 201, headers: { location, ...stateOf(row) } });
  };

/** Bytes take several transactions: the outcome of the request is kept after the last one. */
async function sealed<T>(ctx: Ctx, run: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { seal, ...inner } = ctx;
  const result = await run(inner);
  if (seal) await ctx.engine.transaction((tx) => seal(tx, result));
  return result;
}

/** Throws 403 quota_exceeded. */
async function insert({ tx, actor }: TxCtx, draft: NewUpload): Promise<UploadRow> {
  await holdCount(tx, actor.accountId, 'uploads');
  if ((await countUploads(tx, actor.accountId)) >= limits.uploadsMax) {
    const message = `At most ${limits.uploadsMax} uploads may be under way.`;
    throw new AppError('quota_exceeded', { message });
  }
  return insertUpload(tx, draft);
}

function draftOf(
  { actor, ids, clock }: Ctx,
  { 'upload-metadata': told = '', 'upload-concat': concat }: Headers,
  { filename, fields }: UploadMetadata,
  length: number | null,
): NewUpload {
  const now = clock.now();
  return {
    account_id: actor.accountId,
    id: ids.uuid(),
    length,
    filename: plainFilename(filename),
    fields: JSON.stringify(fields),
    told: told.trim() === '' ? null : told,
    concat: concat ?? null,
    spaces: visibleSpaces(actor),
    created_at: now,
    expires_at: new Date(now.getTime() + restMs),
  };
}

/** Null: a later request has it. Throws 400 invalid_request, 413 payload_too_large. */
function lengthIn({ config }: Ctx, headers: Headers): number | null {
  const { 'upload-length': length, 'upload-defer-length': deferred } = headers;
  if ((length === undefined) === (deferred === undefined)) {
    throw badHeader('upload-length', 'is required, or Upload-Defer-Length: 1 in place of it');
  }
  const bytesMax = config.media.uploadBytesMax;
  if ((length ?? 0) > bytesMax) throw tooLarge(bytesMax);
  return length ?? null;
}

function refuseLength(headers: Headers, bytesToCome: number | null): null {
  const { 'upload-length': length, 'upload-defer-length': deferred } = headers;
  if (length !== undefined || deferred !== undefined) {
    throw badHeader('upload-length', 'follows from the parts of a final upload: leave it out');
  }
  if ((bytesToCome ?? 0) === 0) return null;
  throw new AppError('invalid_request', { message: 'A final upload takes no bytes of its own.' });
}

const badHeader = (name: string, message: string): AppError =>
  headerError({ [name]: { code: 'invalid_format', message } });
