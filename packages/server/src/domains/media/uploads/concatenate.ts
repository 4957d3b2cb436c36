import { limits } from '@mneme/contract';
import { releaseLease } from '../../../database/index.ts';
import { AppError, headerError } from '../../../kernel/errors.ts';
import { type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { isFinalRejection } from '../model.ts';
import {
  insertUpload,
  leasedUpload,
  lockUploads,
  moveUploadParts,
  type NewUpload,
  type UploadRow,
} from '../store/uploads.ts';
import { finaliseUpload } from './append.ts';
import { fileTooLargeError } from './form.ts';
import { leaseExpiry } from './receive.ts';
import {
  canCompleteUpload,
  isUploadReceived,
  partialConcatHeader,
  requireUpload,
} from './resumable.ts';

/**
 * Concatenates complete parts in the order of the header and creates the memory. The uploads of the
 * parts are deleted. Throws 404 not_found if a part does not exist or the API key cannot access it;
 * 400 invalid_request if it is not a partial upload or not complete; 413; and as
 * createMemoryFromFile.
 */
export async function concatenateUploads(
  ctx: Ctx,
  concat: string,
  draft: NewUpload,
): Promise<UploadRow> {
  const ids = parsePartIds(concat);
  for (const id of ids) await requireUpload(ctx, id);
  const holder = ctx.ids.uuid();
  const row = await withTransaction(ctx, (inTx) =>
    createFromParts(inTx, ids, { ...draft, leased_by: holder }),
  );
  if (!canCompleteUpload(row)) {
    await releaseLease(ctx.engine.db, leasedUpload(row), holder);
    return row;
  }
  try {
    return { ...row, ...(await finaliseUpload(ctx, row, holder)) };
  } catch (error) {
    // The parts are deleted, so the client cannot retry: a job completes the upload later.
    if (isFinalRejection(error) && error.status !== 429) throw error;
    ctx.log.warn({ err: error, upload: row.id }, 'upload completion failed');
    return row;
  } finally {
    await releaseLease(ctx.engine.db, leasedUpload(row), holder);
  }
}

const uploadPath = /\/v1\/media\/uploads\/([0-9a-f-]{36})$/;

/** Parses `final;<URL> <URL>`. Throws 404 not_found, 400 invalid_request. */
function parsePartIds(concat: string): string[] {
  const addresses = concat.slice('final;'.length).split(' ').filter(Boolean);
  if (addresses.length === 0 || addresses.length > limits.uploadsMax) {
    throw invalidPartsError(`must name 1 to ${limits.uploadsMax} parts`);
  }
  const ids = addresses.map((address) => {
    const id = uploadPath.exec(address)?.[1];
    if (id === undefined) throw new AppError('not_found');
    return id;
  });
  if (new Set(ids).size < ids.length) throw invalidPartsError('must name each part once');
  return ids;
}

async function createFromParts(
  { tx, actor, config, clock }: TxCtx,
  ids: readonly string[],
  draft: NewUpload,
): Promise<UploadRow> {
  const rows = await lockUploads(tx, actor.accountId, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  let length = 0;
  const parts = ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw new AppError('not_found');
    if (row.concat !== partialConcatHeader)
      throw invalidPartsError('must name uploads with Upload-Concat: partial');
    if (!isUploadReceived(row)) throw invalidPartsError('must name complete uploads');
    const position = length;
    length += Number(row.received);
    return { id, position };
  });
  const bytesMax = config.media.uploadBytesMax;
  if (length > bytesMax) throw fileTooLargeError(bytesMax);
  const lease_until = leaseExpiry(clock.now());
  const row = await insertUpload(tx, { ...draft, length, received: length, lease_until });
  await moveUploadParts(tx, row, parts);
  return row;
}

const invalidPartsError = (message: string): AppError =>
  headerError({ 'upload-concat': { code: 'invalid_format', message } });
