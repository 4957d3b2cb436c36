import { limits, type Owner, type Upload } from '@mneme/contract';
import { recordErasures } from '../../../instance/erasure-ledger.ts';
import { AppError } from '../../../kernel/errors.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type Ctx, canUseSpaces, isOfUser, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { deleteUpload, findUpload, type UploadRow } from '../store/uploads.ts';

const hourMs = 3_600_000;
export const uploadTtlMs = limits.uploadExpiryHours * hourMs;

/** The Upload-Concat of a partial upload. */
export const partialConcatHeader = 'partial';
export const isFinalUpload = ({ concat }: Pick<UploadRow, 'concat'>): boolean =>
  concat !== null && concat !== partialConcatHeader;

export const uploadLengthOf = ({ length }: Pick<UploadRow, 'length'>): number | null =>
  length === null ? null : Number(length);

/** All bytes are received. */
export const isUploadReceived = (row: Pick<UploadRow, 'length' | 'received'>): boolean =>
  uploadLengthOf(row) === Number(row.received);

/** All bytes are received and it can become a memory: not empty and not a partial upload. */
export const canCompleteUpload = (
  row: Pick<UploadRow, 'length' | 'received' | 'concat'>,
): boolean =>
  isUploadReceived(row) && Number(row.received) > 0 && row.concat !== partialConcatHeader;

/** The owner of the memory that it becomes. */
const uploadOwner = ({ fields }: Pick<UploadRow, 'fields'>): Owner => ({
  user_id: fields.user_id ?? null,
  agent_id: fields.agent_id ?? null,
  run_id: fields.run_id ?? null,
});

export const presentUpload = (row: UploadRow): Upload => ({
  id: row.id,
  length: uploadLengthOf(row),
  offset: Number(row.received),
  filename: row.filename,
  ...uploadOwner(row),
  memory_id: row.memory_id,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

/** An upload that has become a memory does not expire. */
const expiryHeader = ({
  expires_at,
  memory_id,
}: Pick<UploadRow, 'expires_at' | 'memory_id'>): Record<string, string> =>
  memory_id === null ? { 'upload-expires': expires_at.toUTCString() } : {};

export const uploadProgressHeaders = (
  row: Pick<UploadRow, 'received' | 'expires_at' | 'memory_id' | 'is_duplicate'>,
): Record<string, string> => ({
  'upload-offset': String(row.received),
  ...expiryHeader(row),
  ...(row.memory_id === null ? {} : { 'x-mneme-memory-id': row.memory_id }),
  ...(row.is_duplicate ? { 'mneme-duplicate': 'true' } : {}),
});

/** Requires access to its user and the spaces of the key that created it. Throws 404 not_found. */
export async function requireUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const row = await findUpload(ctx.engine.db, ctx.actor.accountId, id);
  const isActive = row !== undefined && row.expires_at > ctx.clock.now();
  const isReadable =
    isActive && canUseSpaces(ctx.actor, row.spaces) && isOfUser(ctx.actor, uploadOwner(row));
  if (!isReadable) throw new AppError('not_found');
  return row;
}

export async function getUpload(ctx: Ctx, id: string): Promise<Reply<Upload>> {
  const row = await requireUpload(ctx, id);
  const { length, upload_metadata: metadata, concat } = row;
  const headers = {
    ...uploadProgressHeaders(row),
    ...(length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
    ...(concat === null ? {} : { 'upload-concat': concat }),
    ...(metadata === null ? {} : { 'upload-metadata': metadata }),
  };
  return new Reply(presentUpload(row), { headers });
}

/** Throws 404 not_found. */
export async function removeUpload(ctx: Ctx, id: string): Promise<Reply<undefined>> {
  await requireUpload(ctx, id);
  if (!(await eraseUpload(ctx, id))) throw new AppError('not_found');
  return new Reply<undefined>(undefined, { status: 204 });
}

/** Deletes an upload with its parts; false if it does not exist. */
export const eraseUpload = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    const row = { account_id: inTx.actor.accountId, id };
    const blobs = await deleteUpload(inTx.tx, row);
    if (blobs === null) return false;
    await scheduleBlobRemoval(inTx, blobs);
    await recordErasures(inTx, 'upload', [id]);
    return true;
  });
