import type { UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { type AttachedRecording, prepareAttachedRecording } from '../../media/index.ts';
import type { StoredAttachment } from './content.ts';

/** An attached recording, or the error that rejected it. */
export interface AttachmentRecording {
  /** The index of the attachment. */
  readonly number: number;
  readonly result: AttachedRecording | AppError;
}

/** Only files of these types are probed. */
const recordingTypes = /^(?:audio|video)\/|^application\/(?:octet-stream|ogg|mp4|x-matroska)$/;

/** Finds audio and video attachments; skips duplicates. */
export async function findAttachedRecordings(
  ctx: Ctx,
  parts: readonly StoredAttachment[],
  fieldsOf: (part: StoredAttachment) => UploadFields,
): Promise<AttachmentRecording[]> {
  const recordings: AttachmentRecording[] = [];
  const seen = new Set<string>();
  for (const [number, part] of parts.entries()) {
    const hash = Buffer.from(part.sha256).toString('hex');
    if (!recordingTypes.test(part.contentType) || part.bytes === 0 || seen.has(hash)) continue;
    seen.add(hash);
    const { filename, bytes, sha256, blob: name } = part;
    const file = { name, bytes, sha256, filename };
    const recording = await prepareAttachedRecording(ctx, file, fieldsOf(part)).catch(toAppError);
    if (recording !== null) recordings.push({ number, result: recording });
  }
  return recordings;
}

/** A rejected recording does not fail the mail: the reply reports the error. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
