import type { Memory, UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { BlobTooLarge } from '../../../providers/blobs/index.ts';
import { requireRoom } from '../../accounts/index.ts';
import { removeBlob } from '../../blobs.ts';
import type { Ctx } from '../../ctx.ts';
import type { Form, FormFile, Reply } from '../../handle.ts';
import { becomeMemory } from './become.ts';
import type { Arrived } from './kept.ts';
import { lettingGo } from './let-go.ts';

/** A form of one file and the fields of its memory. Throws 413, 422, and as becomeMemory. */
export async function uploadForm(ctx: Ctx, form: Form<UploadFields>): Promise<Reply<Memory>> {
  await requireRoom(ctx);
  const { arrived, fields } = await receive(ctx, form);
  return becomeMemory(ctx, fields, arrived);
}

/** Where the form is refused after its file, or breaks off, nothing of the file is left. */
async function receive(
  ctx: Ctx,
  form: Form<UploadFields>,
): Promise<{ fields: UploadFields; arrived: Arrived }> {
  let arrived: Arrived | null = null;
  try {
    const { fields, taken } = await form.read(async (file) => {
      arrived = await keep(ctx, file);
      return arrived;
    });
    return { fields, arrived: taken };
  } catch (error) {
    if (arrived !== null) await removeBlob(ctx, (arrived as Arrived).name);
    throw error;
  }
}

/** Throws 413 payload_too_large. */
async function keep(
  { blobs, config }: Pick<Ctx, 'blobs' | 'config'>,
  { bytes, filename }: FormFile,
): Promise<Arrived> {
  const bytesMax = config.media.uploadBytesMax;
  try {
    return { ...(await blobs.write(lettingGo(bytes), { bytesMax })), filename };
  } catch (error) {
    if (error instanceof BlobTooLarge) throw tooLarge(bytesMax);
    throw error;
  }
}

export const tooLarge = (bytesMax: number): AppError =>
  new AppError('payload_too_large', {
    message: `A file must have at most ${bytesMax} bytes.`,
    details: { max_bytes: bytesMax },
  });
