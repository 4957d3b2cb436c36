import type { UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { type AttachedRecording, prepareAttachedRecording } from '../../media/index.ts';
import type { StoredPart } from './content.ts';

/** An attachment that is a recording, or that would be one and is refused. */
export interface PartRecording {
  /** Of the attachment among the parts. */
  readonly number: number;
  readonly result: AttachedRecording | AppError;
}

/** What its bytes are is asked of these alone: other types are never recordings. */
const recordingTypes = /^(?:audio|video)\/|^application\/(?:octet-stream|ogg|mp4|x-matroska)$/;

/** Which attachments are audio or video; of equal ones the first. */
export async function findRecordings(
  ctx: Ctx,
  parts: readonly StoredPart[],
  fieldsOf: (part: StoredPart) => UploadFields,
): Promise<PartRecording[]> {
  const recordings: PartRecording[] = [];
  const seen = new Set<string>();
  for (const [number, part] of parts.entries()) {
    const hash = Buffer.from(part.sha256).toString('hex');
    if (!recordingTypes.test(part.contentType) || part.bytes === 0 || seen.has(hash)) continue;
    seen.add(hash);
    const { filename, bytes, sha256, blob: name } = part;
    const arrived = { name, bytes, sha256, filename };
    const found = await prepareAttachedRecording(ctx, arrived, fieldsOf(part)).catch(toAppError);
    if (found !== null) recordings.push({ number, result: found });
  }
  return recordings;
}

/** The mail is kept all the same, and its answer tells why this is not. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
