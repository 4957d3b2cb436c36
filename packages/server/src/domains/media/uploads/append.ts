import { AppError } from '../../../kernel/errors.ts';
import { isNoBlob, type Kept } from '../../../providers/blobs/index.ts';
import { dropBlobs } from '../../blobs.ts';
import { type Ctx, withTransaction } from '../../ctx.ts';
import { type Conditions, Reply } from '../../handle.ts';
import { isFinalRefusal } from '../model.ts';
import {
  addPart,
  deleteUpload,
  endUpload,
  findUpload,
  keepUpload,
  partsOf,
  releaseUpload,
  takeUpload,
  type UploadRow,
} from '../store/uploads.ts';
import { becomeMemory } from './become.ts';
import { tooLarge } from './form.ts';
import { lettingGo } from './let-go.ts';
import { Parts } from './parts.ts';
import { expiryOf, fieldsOf, knownUpload, restMs } from './resumable.ts';

/** Durable one by one: a crash loses at most this much of what has come. */
const partBytes = 16 * 2 ** 20;
/** Renewed while it is put together and probed; who died with it holds it so long. */
const endingMs = 60_000;
const renewMs = 20_000;

/**
 * Takes bytes in from the upload's offset on; with the last ones it becomes a memory. Throws 404
 * not_found, 409 conflict for another offset or where another request has gone on, 413, and as
 * becomeMemory.
 */
export async function appendUpload(
  ctx: Ctx,
  id: string,
  offset: number,
  { bytes, bytesToCome }: Pick<Conditions, 'bytes' | 'bytesToCome'>,
): Promise<Reply<undefined>> {
  const known = await knownUpload(ctx, id);
  const length = Number(known.length);
  const isNext = offset === Number(known.received);
  if (isNext && offset + (bytesToCome ?? 0) > length) throw tooLarge(length);
  const holder = ctx.ids.uuid();
  const row = await hold(ctx, known, holder);
  const parts = new Parts(lettingGo(bytes));
  try {
    if (Number(row.received) !== offset) {
      const message = `The upload is at ${row.received} bytes, not at ${offset}.`;
      throw new AppError('conflict', { message, details: { offset: Number(row.received) } });
    }
    const { received, expires } = await takeParts(ctx, row, holder, parts);
    const memoryId = received < Number(row.length) ? null : await finish(ctx, row, holder);
    const headers = {
      'upload-offset': String(received),
      ...expiryOf({ memory_id: memoryId, expires_at: expires }),
      ...(memoryId === null ? {} : { 'x-mneme-memory-id': memoryId }),
    };
    return new Reply<undefined>(undefined, { status: 204, headers });
  } finally {
    await parts.end();
    await releaseUpload(ctx.engine.db, row, { holder, again: null });
  }
}

/** Throws 409 conflict, 404 not_found. */
export async function hold(ctx: Ctx, known: UploadRow, holder: string): Promise<UploadRow> {
  const now = ctx.clock.now();
  const isWhole = Number(known.received) === Number(known.length);
  const until = isWhole ? endOf(now) : null;
  const row = await takeUpload(ctx.engine.db, known, { holder, now, until });
  if (row) return row;
  const isThere = await findUpload(ctx.engine.db, known.account_id, known.id);
  if (!isThere) throw new AppError('not_found');
  throw new AppError('conflict', { message: 'The upload is being ended.' });
}

const endOf = (now: Date): Date => new Date(now.getTime() + endingMs);

/** Returns how many bytes are here now, and until when they stay. */
async function takeParts(
  ctx: Ctx,
  row: UploadRow,
  holder: string,
  parts: Parts,
): Promise<{ received: number; expires: Date }> {
  const length = Number(row.length);
  let position = Number(row.received);
  let expires = row.expires_at;
  while (position < length && !(await parts.isOver())) {
    const bytesMax = Math.min(partBytes, length - position);
    const kept = await ctx.blobs.write(parts.part(bytesMax), { bytesMax });
    const part = {
      account_id: row.account_id,
      upload_id: row.id,
      position,
      blob: kept.name,
      bytes: kept.bytes,
    };
    const now = ctx.clock.now();
    const until = position + kept.bytes === length ? endOf(now) : null;
    expires = new Date(now.getTime() + restMs);
    const terms = { holder, until, expires };
    const isAdded = await ctx.engine.transaction((tx) => addPart(tx, part, terms));
    if (!isAdded) {
      await ctx.blobs.remove(kept.name);
      throw takenOver();
    }
    position += kept.bytes;
  }
  if (position === length && !(await parts.isOver())) throw tooLarge(length);
  return { received: position, expires };
}

/**
 * Puts the parts together and makes a memory of them; of an upload that has become one already, the
 * same. What is refused for good is gone with all its parts. Throws as becomeMemory, and 409
 * conflict where another has taken it over.
 */
export async function finish(ctx: Ctx, row: UploadRow, holder: string): Promise<string> {
  if (row.memory_id !== null) return row.memory_id;
  using _kept = keepHolding(ctx, row, holder);
  try {
    const arrived = { ...(await putTogether(ctx, row)), filename: row.filename };
    let memoryId = '';
    await becomeMemory(ctx, fieldsOf(row.fields), arrived, async (inTx, record) => {
      memoryId = record.id;
      const parts = await endUpload(inTx.tx, row, { holder, memoryId });
      if (parts === null) throw takenOver();
      await dropBlobs(inTx, parts);
    });
    return memoryId;
  } catch (error) {
    const now = await findUpload(ctx.engine.db, row.account_id, row.id);
    if (now?.memory_id) return now.memory_id;
    // Without FFmpeg, or with a full quota of a month, it may go better the next time.
    if (isFinalRefusal(error) && error.status !== 429) await giveUp(ctx, row, holder);
    throw onceOnly(error);
  }
}

/** Clients of tus send the whole of a file again after a 409. */
function onceOnly(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'duplicate_memory') return error;
  const { details } = error;
  return new AppError('duplicate_memory', { status: 422, ...(details ? { details } : {}) });
}

const takenOver = (): AppError =>
  new AppError('conflict', { message: 'Another request goes on with this upload.' });

/** Throws 409 conflict where it was given up meanwhile. */
async function putTogether(ctx: Ctx, row: UploadRow): Promise<Kept> {
  const parts = await partsOf(ctx.engine.db, row);
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    for (const { blob } of parts) yield* ctx.blobs.read(blob);
  };
  try {
    return await ctx.blobs.write(whole(), { bytesMax: Number(row.length) });
  } catch (error) {
    const isGone = isNoBlob(error) && !(await findUpload(ctx.engine.db, row.account_id, row.id));
    throw isGone ? takenOver() : error;
  }
}

/** A large file takes longer than a lease; who has lost it is told so at the end. */
function keepHolding({ clock, engine, log }: Ctx, row: UploadRow, holder: string): Disposable {
  let timer: Disposable;
  const plan = (): void => {
    timer = clock.after(renewMs, () => {
      plan();
      keepUpload(engine.db, row, { holder, until: endOf(clock.now()) }).catch((error: unknown) =>
        log.warn({ err: error }, 'an upload could not be held'),
      );
    });
  };
  plan();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

/** @param holder only where it is still theirs */
export const giveUp = (
  ctx: Ctx,
  row: Pick<UploadRow, 'account_id' | 'id'>,
  holder?: string,
): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    await dropBlobs(inTx, (await deleteUpload(inTx.tx, row, holder)) ?? []);
  });
