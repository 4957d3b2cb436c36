import { BackupInProgress, type DatabaseBackup } from '../../../database/index.ts';
import { getOrCreateDatabaseId } from '../../../instance/instance-settings.ts';
import { AppError } from '../../../kernel/errors.ts';
import {
  type ArchiveEntry,
  createArchive,
  encryptSecretKey,
  type ManifestDetails,
} from '../../../providers/archive/index.ts';
import { isBlobNotFound } from '../../../providers/blobs/index.ts';
import { enqueueBlobRemovalJob, pauseBlobDeletion } from '../../blobs/index.ts';
import type { App } from '../../ctx.ts';
import { toBlobEntryName, toDatabaseEntryName } from './archive-entry-names.ts';

/** What a backup is made of; a server that is about to upgrade its database has no more yet. */
export type BackupSource = Pick<
  App,
  'config' | 'engine' | 'blobs' | 'clock' | 'ids' | 'version'
> & {
  /** Null: the archive is made without it. */
  readonly secretKey: string | null;
};

/**
 * A backup of the database and the files, as the bytes of an archive, in constant memory. Nothing
 * waits for it. Throws 409 conflict while the embedded database makes another one, and what the
 * database and the store of files throw: what was given until then is no backup.
 */
export async function* createBackup(app: App): AsyncGenerator<Uint8Array> {
  await using hold = await pauseBlobDeletion(app);
  try {
    yield* createBackupFrom(app, () => hold.assertNotExpired());
  } finally {
    const { engine, ids, clock } = app;
    await engine.transaction((tx) => enqueueBlobRemovalJob({ tx, ids, clock }));
  }
}

/**
 * The same, where the caller sees to it that no blob is removed meanwhile.
 * @param onLast called when all was read, before the archive is complete
 */
export async function* createBackupFrom(
  parts: BackupSource,
  onLast: () => void,
): AsyncGenerator<Uint8Array> {
  await using copy = await copyDatabase(parts);
  const { passphrase } = parts.config.backup;
  const { secretKey, ids } = parts;
  yield* createArchive({
    manifest: await describeBackup(parts, copy),
    secretKey:
      passphrase === null || secretKey === null
        ? null
        : await encryptSecretKey(secretKey, passphrase, ids),
    entries: (async function* () {
      yield* databaseEntries(copy);
      // After the database: what was stored until the end of its copy is named by it.
      yield* blobEntries(parts);
      onLast();
    })(),
  });
}

async function copyDatabase({ engine }: BackupSource): Promise<DatabaseBackup> {
  try {
    return await engine.backup();
  } catch (error) {
    if (!(error instanceof BackupInProgress)) throw error;
    throw new AppError('conflict', { message: 'A backup is being made; wait for its end.' });
  }
}

async function describeBackup(parts: BackupSource, copy: DatabaseBackup): Promise<ManifestDetails> {
  const { config, clock, engine, ids, version } = parts;
  const { migrations } = copy;
  return {
    program_version: version,
    created_at: clock.now().toISOString(),
    database: {
      kind: copy.kind,
      id: await getOrCreateDatabaseId(engine.db, ids.uuid()),
      postgres_version: copy.postgresVersion,
      schema_version: migrations.length,
      migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    },
    settings: config.explicitSettings,
  };
}

async function* databaseEntries(copy: DatabaseBackup): AsyncGenerator<ArchiveEntry> {
  for await (const entry of copy.entries()) {
    yield { ...entry, name: toDatabaseEntryName(entry.name) };
  }
}

async function* blobEntries({ blobs }: BackupSource): AsyncGenerator<ArchiveEntry> {
  for await (const listed of blobs.list()) {
    for (const { name, bytes } of listed) {
      // One that no row names may go at any time.
      const content = await openIfPresent(blobs.read(name));
      if (content !== null) yield { name: toBlobEntryName(name), size: bytes, content };
    }
  }
}

/** The pieces of a blob whose first one is there; null where the blob is gone. */
async function openIfPresent(
  pieces: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array> | null> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    const first = await rest.next();
    return (async function* () {
      try {
        for (let step = first; !step.done; step = await rest.next()) yield step.value;
      } finally {
        await rest.return?.();
      }
    })();
  } catch (error) {
    if (isBlobNotFound(error)) return null;
    throw error;
  }
}
