import { BackupInProgress, type DatabaseBackup } from '../../../database/index.ts';
import { getOrCreateDatabaseId } from '../../../instance/instance-settings.ts';
import { AppError } from '../../../kernel/errors.ts';
import {
  type ArchiveEntry,
  encryptServerSecretKey,
  generateArchive,
  type ManifestDetails,
} from '../../../providers/archive/index.ts';
import { isBlobNotFound } from '../../../providers/blobs/index.ts';
import { enqueueBlobRemovalJob, pauseBlobDeletion } from '../../blobs/index.ts';
import type { App } from '../../ctx.ts';
import { toBlobEntryName, toDatabaseEntryName } from './archive-entry-names.ts';

/** The dependencies of a backup; before an upgrade, a server has no others. */
export type BackupSource = Pick<
  App,
  'config' | 'engine' | 'blobs' | 'clock' | 'ids' | 'version'
> & {
  /** Null: the archive does not include it. */
  readonly secretKey: string | null;
};

/**
 * Backs up the database and the files as the bytes of an archive, in constant memory and without
 * blocking writes. Throws 409 conflict while another backup of the embedded database runs, and
 * errors of the database and the blob store: then the bytes so far are no valid backup.
 */
export async function* createBackup(app: App): AsyncGenerator<Uint8Array> {
  await using pause = await pauseBlobDeletion(app);
  try {
    yield* createBackupFrom(app, () => pause.assertNotExpired());
  } finally {
    const { engine, ids, clock } = app;
    await engine.transaction((tx) => enqueueBlobRemovalJob({ tx, ids, clock }));
  }
}

/**
 * The same, if the caller prevents the removal of blobs.
 * @param onLast called after the last read, before the archive is complete
 */
export async function* createBackupFrom(
  source: BackupSource,
  onLast: () => void,
): AsyncGenerator<Uint8Array> {
  await using copy = await copyDatabase(source);
  const { passphrase } = source.config.backup;
  const { secretKey, ids } = source;
  yield* generateArchive({
    manifest: await describeBackup(source, copy),
    secretKey:
      passphrase === null || secretKey === null
        ? null
        : await encryptServerSecretKey(secretKey, passphrase, ids),
    entries: (async function* () {
      yield* databaseEntries(copy);
      // After the database: blobs referenced by its copy exist by now.
      yield* blobEntries(source);
      onLast();
    })(),
  });
}

async function copyDatabase({ engine }: BackupSource): Promise<DatabaseBackup> {
  try {
    return await engine.backup();
  } catch (error) {
    if (!(error instanceof BackupInProgress)) throw error;
    throw new AppError('conflict', { message: 'A backup is already running: retry later.' });
  }
}

async function describeBackup(
  source: BackupSource,
  copy: DatabaseBackup,
): Promise<ManifestDetails> {
  const { config, clock, engine, ids, version } = source;
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
  for await (const page of blobs.list()) {
    for (const { name, bytes } of page) {
      // A blob without a row may be removed at any time.
      const content = await openIfPresent(blobs.read(name));
      if (content !== null) yield { name: toBlobEntryName(name), size: bytes, content };
    }
  }
}

/** Reads the first chunk; null if the blob does not exist. */
async function openIfPresent(
  chunks: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array> | null> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    return (async function* () {
      try {
        for (let step = first; !step.done; step = await iterator.next()) yield step.value;
      } finally {
        await iterator.return?.();
      }
    })();
  } catch (error) {
    if (isBlobNotFound(error)) return null;
    throw error;
  }
}
