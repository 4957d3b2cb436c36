import { existsSync } from 'node:fs';
import path from 'node:path';
import { DataFolderUnusable } from './data-folder.ts';
import { readFileIfExists, readOrCreatePrivateFile, writePrivateFile } from './private-file.ts';

/** The database that a data folder belongs to; the first start records it in the folder. */
export interface DataFolderOwner {
  readonly engine: 'embedded' | 'server';
  /** The id of the database, which the database and its backups contain. */
  readonly databaseId: string;
}

/** The settings that select the database and the data folder. */
export interface DataFolderSettings {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Whether the folder may belong to another database. */
  readonly allowOtherEngine: boolean;
}

/** The folder contains data or keys of another database; the message says what to do. */
export class DataFolderForeign extends Error {
  override readonly name = 'DataFolderForeign';

  constructor(message: string) {
    super(
      `${message} To start anyway, without changes to the files of the other database, set ` +
        'MNEME_ALLOW_OTHER_ENGINE=true.',
    );
  }
}

const ownerFile = (dataDir: string): string => path.join(dataDir, 'database.json');
export const adminKeyFileName = 'admin-key';
const hasAdminKey = (dataDir: string): boolean => existsSync(path.join(dataDir, adminKeyFileName));
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  existsSync(path.join(dataDir, 'pg'));

/** Null if no owner is recorded. Throws DataFolderUnusable. */
export async function readDataFolderOwner(dataDir: string): Promise<DataFolderOwner | null> {
  const file = ownerFile(dataDir);
  const text = await readFileIfExists(file);
  return text === null ? null : parseOwner(file, text);
}

function parseOwner(file: string, text: string): DataFolderOwner {
  try {
    const { engine, database_id: databaseId } = JSON.parse(text) as Record<string, unknown>;
    const isEngine = engine === 'embedded' || engine === 'server';
    if (isEngine && typeof databaseId === 'string') return { engine, databaseId };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DataFolderUnusable(
    `${file} does not name a database: restore it from a backup of the folder, or remove it if ` +
      'the folder belongs to the configured database.',
  );
}

/**
 * Call it before a database is opened or created, so that a rejected start changes nothing. Throws
 * DataFolderForeign if the folder belongs to a database of the other engine.
 */
export async function requireMatchingEngine(settings: DataFolderSettings): Promise<void> {
  const owner = await readDataFolderOwner(settings.dataDir);
  if (settings.allowOtherEngine) return;
  const message =
    settings.databaseUrl === null
      ? embeddedMismatch(settings.dataDir, owner)
      : serverMismatch(settings.dataDir, owner);
  if (message !== null) throw new DataFolderForeign(message);
}

function serverMismatch(dataDir: string, owner: DataFolderOwner | null): string | null {
  if (!hasEmbeddedDatabase(dataDir) && owner?.engine !== 'embedded') return null;
  return (
    `MNEME_DATABASE_URL is set, but the data folder ${dataDir} belongs to an embedded database, ` +
    'which the server database does not contain: unset MNEME_DATABASE_URL, or choose another ' +
    'folder with MNEME_DATA_DIR.'
  );
}

function embeddedMismatch(dataDir: string, owner: DataFolderOwner | null): string | null {
  if (owner?.engine === 'server') {
    return (
      `MNEME_DATABASE_URL is not set, but the data folder ${dataDir} belongs to a server ` +
      'database: set MNEME_DATABASE_URL, or choose another folder with MNEME_DATA_DIR.'
    );
  }
  if (hasEmbeddedDatabase(dataDir) || (owner === null && !hasAdminKey(dataDir))) return null;
  return (
    `The data folder ${dataDir} contains an admin key, but no embedded database: set ` +
    'MNEME_DATABASE_URL if the key belongs to a server database, restore the folder from a ' +
    'backup, or choose an empty folder with MNEME_DATA_DIR.'
  );
}

/**
 * Call it with the id of an opened database (null for a new one) before the database is changed.
 * Throws DataFolderForeign if the folder belongs to another database.
 */
export async function requireMatchingDatabase(
  { dataDir, allowOtherEngine }: DataFolderSettings,
  databaseId: string | null,
): Promise<void> {
  const owner = await readDataFolderOwner(dataDir);
  if (owner === null || owner.databaseId === databaseId || allowOtherEngine) return;
  throw new DataFolderForeign(
    `The data folder ${dataDir} belongs to another database than the configured one` +
      `${databaseId === null ? ', which is new or from an earlier version' : ''}: check ` +
      'MNEME_DATABASE_URL, or choose another folder with MNEME_DATA_DIR. If the folder belongs ' +
      `to this database, remove ${ownerFile(dataDir)}.`,
  );
}

/** Records a new owner after a move of the database. */
export async function replaceDataFolderOwner(
  dataDir: string,
  owner: DataFolderOwner,
): Promise<void> {
  const text = JSON.stringify({ engine: owner.engine, database_id: owner.databaseId });
  await writePrivateFile(ownerFile(dataDir), `${text}\n`);
}

/**
 * Records the database as owner of a folder without one. `isOwnKey` checks an admin key that an
 * earlier version wrote without a record of the owner. Throws DataFolderForeign.
 */
export async function recordDataFolderOwner(
  settings: DataFolderSettings,
  owner: DataFolderOwner,
  isOwnKey: (key: string) => Promise<'yes' | 'no' | 'unknown'>,
): Promise<void> {
  const { dataDir, allowOtherEngine } = settings;
  // Read the key first: a process that starts concurrently records the owner before its key.
  const key = await readFileIfExists(path.join(dataDir, adminKeyFileName));
  if ((await readDataFolderOwner(dataDir)) !== null) return;
  if (key !== null && owner.engine === 'server') {
    const ownership = await isOwnKey(key.trim());
    if (ownership === 'no' && !allowOtherEngine) {
      throw new DataFolderForeign(
        `The data folder ${dataDir} contains the admin key of another database, and the ` +
          'configured database is new: check MNEME_DATABASE_URL, or choose another folder with ' +
          'MNEME_DATA_DIR.',
      );
    }
    if (ownership !== 'yes') return;
  }
  // A folder with an embedded database is never assigned to a server, whatever the settings allow.
  if (owner.engine === 'server' && hasEmbeddedDatabase(dataDir)) return;
  const text = JSON.stringify({ engine: owner.engine, database_id: owner.databaseId });
  await readOrCreatePrivateFile(ownerFile(dataDir), `${text}\n`);
}
