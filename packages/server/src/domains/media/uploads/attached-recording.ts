import type { UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, requestedUser, type TxCtx } from '../../ctx.ts';
import type { MemoryRecord, NewMemory } from '../../memories/index.ts';
import { toUnavailableError } from '../model.ts';
import { findMemoryByHash } from '../store/files.ts';
import { attachFileToMemory, probeRecording, toRecordingMemory } from './create-from-file.ts';
import { fileTooLargeError } from './form.ts';
import type { UploadedFile } from './uploaded-file.ts';

/**
 * A recording that is attached to another object: the memory to create and a function that adds the
 * media file in the same transaction, or the id of the memory that already has these bytes.
 */
export type AttachedRecording =
  | { readonly knownId: string }
  | {
      readonly body: NewMemory;
      readonly attach: (inTx: TxCtx, record: MemoryRecord) => Promise<void>;
    };

/**
 * Returns null if the file is not a recording. The attachment and the recording reference the same
 * blob. Throws 413 payload_too_large, 503 service_unavailable without FFmpeg.
 */
export async function prepareAttachedRecording(
  ctx: Ctx,
  file: UploadedFile,
  fields: UploadFields,
): Promise<AttachedRecording | null> {
  const { uploadBytesMax } = ctx.config.media;
  try {
    if (file.bytes > uploadBytesMax) throw fileTooLargeError(uploadBytesMax);
    const probe = await probeRecording(ctx, file);
    const place = {
      account_id: ctx.actor.accountId,
      space_id: fields.space_id ?? null,
      user_id: requestedUser(ctx.actor, fields.user_id) ?? null,
      agent_id: fields.agent_id ?? null,
      run_id: fields.run_id ?? null,
    };
    const knownId = await findMemoryByHash(ctx.engine.db, place, file.sha256);
    if (knownId !== undefined) return { knownId };
    return {
      body: toRecordingMemory(fields, file, probe),
      attach: (inTx, record) => attachFileToMemory(inTx, record, { file, probe }),
    };
  } catch (cause) {
    const error = toUnavailableError(cause);
    if (error instanceof AppError && error.code === 'invalid_request') return null;
    throw error;
  }
}
