import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import type { BlobStore } from './blob-store.ts';
import { createFolderBlobStore } from './folder.ts';
import { createS3BlobStore } from './s3.ts';

/** Opens the configured blob store. Connections to a bucket are closed with `opening`. */
export async function openBlobStore(
  { dataDir, databaseUrl, media: { s3 } }: Pick<Config, 'dataDir' | 'databaseUrl' | 'media'>,
  { log, ...deps }: { ids: Ids; clock: Clock; log: Log },
  opening: AsyncDisposableStack,
): Promise<BlobStore> {
  if (s3 === null) {
    const own = createFolderBlobStore(path.join(dataDir, 'blobs'), deps);
    // Drafts belong to processes that exited: this process has exclusive access to the folder.
    if (databaseUrl === null) await own.removeDrafts(deps.clock.now());
    return own;
  }
  const folder = path.join(dataDir, 'blobs-under-way');
  const blobs = opening.use(await createS3BlobStore(s3, { ...deps, folder }));
  // The bucket may become reachable soon; until then work that needs it waits, and the health
  // status reports it.
  void blobs
    .check()
    .catch((error: unknown) =>
      log.error({ err: error, bucket: s3.bucket }, 'bucket not reachable'),
    );
  return blobs;
}
