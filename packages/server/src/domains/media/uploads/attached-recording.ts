import type { UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../../ctx.ts';
import type { MemoryRecord, NewMemory } from '../../memories/index.ts';
import { toUnavailableError } from '../model.ts';
import { findMemoryByHash } from '../store/files.ts';
import { attachFile, probeFile, recordingBody } from './create-from-file.ts';
import { fileTooLargeError } from './form.ts';
import type { UploadedFile } from './uploaded-file.ts';

/**
 * A recording that came with something else, to be stored beside it: its memory, and what makes a
 * recording of that in the same transaction; or the memory that has these bytes already.
 */
export type AttachedRecording =
  | { readonly knownId: string }
  | {
      readonly body: NewMemory;
      readonly attach: (inTx: TxCtx, record: MemoryRecord) => Promise<void>;
    };

/**
 * Null where it is no recording. Its bytes stay those of whoever keeps them: one blob, named twice.
 * Throws 413 payload_too_large, 503 service_unavailable without FFmpeg.
 */
export async function prepareAttachedRecording(
  ctx: Ctx,
  arrived: UploadedFile,
  fields: UploadFields,
): Promise<AttachedRecording | null> {
  const { uploadBytesMax } = ctx.config.media;
  try {
    if (arrived.bytes > uploadBytesMax) throw fileTooLargeError(uploadBytesMax);
    const probe = await probeFile(ctx, arrived);
    const place = { accountId: ctx.actor.accountId, spaceId: fields.space_id ?? null };
    const { sha256 } = arrived;
    const knownId = await findMemoryByHash(ctx.engine.db, { ...place, sha256 });
    if (knownId !== undefined) return { knownId };
    return {
      body: recordingBody(fields, arrived, probe),
      attach: (inTx, record) => attachFile(inTx, record, { file: arrived, probe }),
    };
  } catch (thrown) {
    const error = toUnavailableError(thrown);
    if (error instanceof AppError && error.code === 'invalid_request') return null;
    throw error;
  }
}
