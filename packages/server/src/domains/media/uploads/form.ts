import type { CreatedMemory, UploadFields } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { BlobTooLarge } from '../../../providers/blobs/index.ts';
import { requireMemoryQuota } from '../../accounts/index.ts';
import { tryRemoveBlob } from '../../blobs/index.ts';
import type { Ctx } from '../../ctx.ts';
import type { MultipartFile, MultipartForm, Reply } from '../../handler.ts';
import { createMemoryFromFile } from './create-from-file.ts';
import { releaseBuffers } from './release-buffers.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** Creates a memory from a form with one file. Throws 413, 422, and as createMemoryFromFile. */
export async function createMemoryFromForm(
  ctx: Ctx,
  form: MultipartForm<UploadFields>,
): Promise<Reply<CreatedMemory>> {
  await requireMemoryQuota(ctx);
  const { arrived, fields } = await receiveForm(ctx, form);
  return createMemoryFromFile(ctx, fields, arrived);
}

/** Removes the blob if the form is rejected or interrupted after the file. */
async function receiveForm(
  ctx: Ctx,
  form: MultipartForm<UploadFields>,
): Promise<{ fields: UploadFields; arrived: UploadedFile }> {
  let arrived: UploadedFile | null = null;
  try {
    const { fields, fileResult } = await form.read(async (file) => {
      arrived = await storeFile(ctx, file);
      return arrived;
    });
    return { fields, arrived: fileResult };
  } catch (error) {
    if (arrived !== null) await tryRemoveBlob(ctx, (arrived as UploadedFile).name);
    throw error;
  }
}

/** Throws 413 payload_too_large. */
async function storeFile(
  { blobs, config }: Pick<Ctx, 'blobs' | 'config'>,
  { bytes, filename }: MultipartFile,
): Promise<UploadedFile> {
  const bytesMax = config.media.uploadBytesMax;
  try {
    return { ...(await blobs.write(releaseBuffers(bytes), { bytesMax })), filename };
  } catch (error) {
    if (error instanceof BlobTooLarge) throw fileTooLargeError(bytesMax);
    throw error;
  }
}

export const fileTooLargeError = (bytesMax: number): AppError =>
  new AppError('payload_too_large', {
    message: `A file must have at most ${bytesMax} bytes.`,
    details: { max_bytes: bytesMax },
  });
