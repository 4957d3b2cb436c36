import type { UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../../ctx.ts';
import type { MemoryRecord, NewMemory } from '../../memories/index.ts';
import { refusalOf } from '../model.ts';
import { findSameBytes } from '../store/files.ts';
import { addFile, probed, recordingBody } from './become.ts';
import { tooLarge } from './form.ts';
import type { Arrived } from './kept.ts';

/**
 * A recording that came with something else, to be stored beside it: its memory, and what makes a
 * recording of that in the same transaction; or the memory that has these bytes already.
 */
export type AttachedRecording =
  | { readonly knownId: string }
  | {
      readonly body: NewMemory;
      readonly add: (inTx: TxCtx, record: MemoryRecord) => Promise<void>;
    };

/**
 * Null where it is no recording. Its bytes stay those of whoever keeps them: one blob, named twice.
 * Throws 413 payload_too_large, 503 service_unavailable without FFmpeg.
 */
export async function attachedRecording(
  ctx: Ctx,
  arrived: Arrived,
  fields: UploadFields,
): Promise<AttachedRecording | null> {
  const { uploadBytesMax } = ctx.config.media;
  try {
    if (arrived.bytes > uploadBytesMax) throw tooLarge(uploadBytesMax);
    const probe = await probed(ctx, arrived);
    const place = { accountId: ctx.actor.accountId, spaceId: fields.space_id ?? null };
    const { sha256 } = arrived;
    const knownId = await findSameBytes(ctx.engine.db, { ...place, sha256 });
    if (knownId !== undefined) return { knownId };
    return {
      body: recordingBody(fields, arrived, probe),
      add: (inTx, record) => addFile(inTx, record, { arrived, probe }),
    };
  } catch (thrown) {
    const error = refusalOf(thrown);
    if (error instanceof AppError && error.code === 'invalid_request') return null;
    throw error;
  }
}
