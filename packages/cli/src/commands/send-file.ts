import type { Client, Memory } from '@mneme/sdk';
import type { CommandContext } from '../context.ts';

type FileUpload = Parameters<Client['memories']['uploadInParts']>[0];

const mib = 2 ** 20;
/** A smaller file is one request. */
const partBytes = 4 * mib;

/** Stores a file; shows on stderr how many bytes of a large one the service has. */
export async function sendFile(
  context: CommandContext,
  upload: FileUpload,
  isQuiet: boolean,
): Promise<Memory> {
  const { size } = upload.file;
  if (size <= partBytes) return (await context.client()).memories.upload(upload);
  const client = await context.client({ showsProgress: true });
  const progress = context.progress();
  const total = (size / mib).toFixed(1);
  try {
    const { memory_id: id } = await client.memories.uploadInParts(upload, {
      partBytes,
      onProgress: ({ offset }) => {
        if (isQuiet) return;
        progress.update(offset / size, `${(offset / mib).toFixed(1)} of ${total} MiB`);
      },
    });
    return await client.memories.get({ params: { id } });
  } finally {
    progress.end();
  }
}
