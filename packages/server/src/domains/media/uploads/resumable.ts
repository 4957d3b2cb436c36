import {
  type Checked,
  fieldFaults,
  limits,
  type routes,
  type Upload,
  type UploadFields,
  uploadFields,
} from '@mneme/contract';
import { AppError, fieldError, validationError } from '../../../kernel/errors.ts';
import { plainFilename } from '../../../kernel/filename.ts';
import { readFields } from '../../../kernel/query.ts';
import { holdCount, requireRoom } from '../../accounts/index.ts';
import { dropBlobs } from '../../blobs.ts';
import { type Ctx, mayUse, visibleSpaces, withTransaction } from '../../ctx.ts';
import { Reply } from '../../handle.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import { isRecordingType, requireFfmpeg } from '../model.ts';
import {
  countUploads,
  deleteUpload,
  findUpload,
  insertUpload,
  type UploadRow,
} from '../store/uploads.ts';
import { tooLarge } from './form.ts';

const hourMs = 3_600_000;
export const restMs = limits.uploadHoursMax * hourMs;

const presentUpload = (row: UploadRow): Upload => ({
  id: row.id,
  length: Number(row.length),
  offset: Number(row.received),
  filename: row.filename,
  memory_id: row.memory_id,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

/**
 * Throws 413 payload_too_large, 422, 403 quota_exceeded for too many that are under way, and where
 * the account has no room for what would come of it; 503 service_unavailable for a recording where
 * there is no FFmpeg.
 */
export async function createUpload(
  ctx: Ctx,
  {
    'upload-length': length,
    'upload-metadata': told,
  }: Checked<typeof routes.media.createUpload>['headers'],
): Promise<Reply<Upload>> {
  const bytesMax = ctx.config.media.uploadBytesMax;
  if (length > bytesMax) throw tooLarge(bytesMax);
  const { filename = '', filetype = '', ...texts } = readMetadata(told ?? '');
  const { space_id: spaceId } = fieldsOf(texts);
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
  await requireRoom(ctx);
  // What it is, its bytes tell; but gigabytes need not come to be refused.
  if (isRecordingType(filetype)) await requireFfmpeg(ctx);
  const now = ctx.clock.now();
  return withTransaction(ctx, async ({ tx, actor, ids }) => {
    await holdCount(tx, actor.accountId, 'uploads');
    if ((await countUploads(tx, actor.accountId)) >= limits.uploadsMax) {
      const message = `At most ${limits.uploadsMax} uploads may be under way.`;
      throw new AppError('quota_exceeded', { message });
    }
    const row = await insertUpload(tx, {
      account_id: actor.accountId,
      id: ids.uuid(),
      length,
      filename: plainFilename(filename),
      fields: JSON.stringify(texts),
      told: told === undefined || told.trim() === '' ? null : told,
      spaces: visibleSpaces(actor),
      created_at: now,
      expires_at: new Date(now.getTime() + restMs),
    });
    const location = `${ctx.config.publicUrl ?? ''}/v1/media/uploads/${row.id}`;
    const headers = { location, ...expiryOf(row) };
    return new Reply(presentUpload(row), { status: 201, headers });
  });
}

/** One that has become a memory is not given up any more. */
export const expiryOf = ({
  expires_at,
  memory_id,
}: Pick<UploadRow, 'expires_at' | 'memory_id'>): Record<string, string> =>
  memory_id === null ? { 'upload-expires': expires_at.toUTCString() } : {};

/** `name base64,name base64`, names once each. Throws 422 validation_error. */
function readMetadata(header: string): Record<string, string> {
  const found = new Map<string, string>();
  for (const pair of header.split(',').map((text) => text.trim())) {
    if (pair === '') continue;
    const [, name = '', encoded = ''] =
      /^(\S{1,100})(?: +([A-Za-z0-9+/]*={0,2}))?$/.exec(pair) ?? [];
    if (name === '' || found.has(name)) throw badMetadata();
    try {
      const bytes = Buffer.from(encoded, 'base64');
      found.set(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      throw badMetadata();
    }
  }
  for (const name of unused) found.delete(name);
  return Object.fromEntries(found);
}

/** What clients of tus send by themselves, beside the type: a file's bytes tell better. */
const unused = ['type', 'contentType', 'name', 'relativePath'];

const badMetadata = (): AppError =>
  fieldError('upload-metadata', {
    code: 'invalid_format',
    message: 'must be pairs of a name and a base64 text, separated by commas, each name once',
  });

/** As the fields of a form. Throws 422 validation_error. */
export function fieldsOf(texts: Readonly<Record<string, string>>): UploadFields {
  const { values, faults } = readFields(uploadFields, texts);
  const parsed = uploadFields.safeParse(values);
  const all = { ...(parsed.success ? {} : fieldFaults(parsed.error.issues, values)), ...faults };
  if (!parsed.success || Object.keys(all).length > 0) throw validationError(all);
  return parsed.data;
}

/** Whoever may use the spaces of the key that began it. Throws 404 not_found. */
export async function knownUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const row = await findUpload(ctx.engine.db, ctx.actor.accountId, id);
  const isThere = row !== undefined && row.expires_at > ctx.clock.now();
  if (!isThere || !mayUse(ctx.actor, row.spaces)) throw new AppError('not_found');
  return row;
}

export async function getUpload(ctx: Ctx, id: string): Promise<Reply<Upload>> {
  const row = await knownUpload(ctx, id);
  const upload = presentUpload(row);
  const told = row.told === null ? {} : { 'upload-metadata': row.told };
  return new Reply(upload, { headers: { ...placeOf(upload), ...expiryOf(row), ...told } });
}

const placeOf = ({ offset, length, memory_id: memoryId }: Upload) => ({
  'upload-offset': String(offset),
  'upload-length': String(length),
  ...(memoryId === null ? {} : { 'x-mneme-memory-id': memoryId }),
});

/** Throws 404 not_found. */
export async function removeUpload(ctx: Ctx, id: string): Promise<Reply<undefined>> {
  const row = await knownUpload(ctx, id);
  await withTransaction(ctx, async (inTx) => {
    const blobs = await deleteUpload(inTx.tx, row);
    if (blobs === null) throw new AppError('not_found');
    await dropBlobs(inTx, blobs);
  });
  return new Reply<undefined>(undefined, { status: 204 });
}
