import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import type { BlobStore } from './blob-store.ts';
import { createFolderBlobStore } from './folder.ts';
import { createS3BlobStore } from './s3.ts';

/** A bucket's connections are closed with what is `opening`. */
export async function openBlobStore(
  { dataDir, databaseUrl, media: { s3 } }: Pick<Config, 'dataDir' | 'databaseUrl' | 'media'>,
  { log, ...deps }: { ids: Ids; clock: Clock; log: Log },
  opening: AsyncDisposableStack,
): Promise<BlobStore> {
  if (s3 === null) {
    const own = createFolderBlobStore(path.join(dataDir, 'blobs'), deps);
    // Whoever wrote what is half there is dead: nobody else has the folder of the database open.
    if (databaseUrl === null) await own.removeDrafts(deps.clock.now());
    return own;
  }
  const folder = path.join(dataDir, 'blobs-under-way');
  const blobs = opening.use(await createS3BlobStore(s3, { ...deps, folder }));
  // It may be there again soon; until then nothing that needs it goes, and the health says so.
  void blobs
    .check()
    .catch((error: unknown) =>
      log.error({ err: error }, `the bucket ${s3.bucket} does not answer`),
    );
  return blobs;
}
