import { existsSync } from 'node:fs';
import path from 'node:path';
import { DataFolderUnusable } from './data-folder.ts';
import { readFileIfExists, readOrCreatePrivateFile, writePrivateFile } from './private-file.ts';

/** Which database a data folder belongs to: recorded in it by the first start. */
export interface FolderOwner {
  readonly engine: 'embedded' | 'server';
  /** The installation's id, which is stored in the database and in its backups. */
  readonly databaseId: string;
}

/** The settings that decide which database is opened with which folder. */
export interface FolderSettings {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** The operator accepts a folder that belongs to another database. */
  readonly allowOtherEngine: boolean;
}

/** The folder holds the data or the keys of another database; the message says what to do. */
export class DataFolderForeign extends Error {
  override readonly name = 'DataFolderForeign';

  constructor(message: string) {
    super(
      `${message} To start all the same, and leave the files of the other database untouched, ` +
        'set MNEME_ALLOW_OTHER_ENGINE=true.',
    );
  }
}

const ownerFile = (dataDir: string): string => path.join(dataDir, 'database.json');
export const adminKeyFileName = 'admin-key';
const hasAdminKey = (dataDir: string): boolean => existsSync(path.join(dataDir, adminKeyFileName));
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  existsSync(path.join(dataDir, 'pg'));

/** Null where no start has recorded an owner. Throws DataFolderUnusable. */
export async function readFolderOwner(dataDir: string): Promise<FolderOwner | null> {
  const file = ownerFile(dataDir);
  const text = await readFileIfExists(file);
  return text === null ? null : parseOwner(file, text);
}

function parseOwner(file: string, text: string): FolderOwner {
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
 * Called before a database is opened or made, so that a refused start leaves everything as it is.
 * Throws DataFolderForeign where the folder can be seen to belong to another kind of database.
 */
export async function requireMatchingEngine(settings: FolderSettings): Promise<void> {
  const owner = await readFolderOwner(settings.dataDir);
  if (settings.allowOtherEngine) return;
  const message =
    settings.databaseUrl === null
      ? embeddedMismatch(settings.dataDir, owner)
      : serverMismatch(settings.dataDir, owner);
  if (message !== null) throw new DataFolderForeign(message);
}

function serverMismatch(dataDir: string, owner: FolderOwner | null): string | null {
  if (!hasEmbeddedDatabase(dataDir) && owner?.engine !== 'embedded') return null;
  return (
    `MNEME_DATABASE_URL is set, but the data folder ${dataDir} belongs to an embedded database, ` +
    'which the server database does not contain: unset MNEME_DATABASE_URL, or choose another ' +
    'folder with MNEME_DATA_DIR.'
  );
}

function embeddedMismatch(dataDir: string, owner: FolderOwner | null): string | null {
  if (owner?.engine === 'server') {
    return (
      `MNEME_DATABASE_URL is not set, but the data folder ${dataDir} belongs to a server ` +
      'database: set MNEME_DATABASE_URL, or choose another folder with MNEME_DATA_DIR.'
    );
  }
  if (hasEmbeddedDatabase(dataDir) || (owner === null && !hasAdminKey(dataDir))) return null;
  return (
    `The data folder ${dataDir} holds an admin key, but no embedded database: set ` +
    'MNEME_DATABASE_URL if the key belongs to a server database, restore the folder from a ' +
    'backup, or choose an empty folder with MNEME_DATA_DIR.'
  );
}

/**
 * Called with the id that an opened database holds, null for a new one, before anything in it is
 * changed. Throws DataFolderForeign where the folder is known to belong to another database.
 */
export async function requireMatchingDatabase(
  { dataDir, allowOtherEngine }: FolderSettings,
  databaseId: string | null,
): Promise<void> {
  const owner = await readFolderOwner(dataDir);
  if (owner === null || owner.databaseId === databaseId || allowOtherEngine) return;
  throw new DataFolderForeign(
    `The data folder ${dataDir} belongs to another database than the configured one` +
      `${databaseId === null ? ', which is new or from an earlier version' : ''}: check ` +
      'MNEME_DATABASE_URL, or choose another folder with MNEME_DATA_DIR. If the folder does ' +
      `belong to this database, remove ${ownerFile(dataDir)}.`,
  );
}

/** Records another owner: its database was moved. */
export async function replaceFolderOwner(dataDir: string, own: FolderOwner): Promise<void> {
  const text = JSON.stringify({ engine: own.engine, database_id: own.databaseId });
  await writePrivateFile(ownerFile(dataDir), `${text}\n`);
}

/**
 * Records the database as the folder's owner where it has none. `ownsKey` decides about an admin
 * key that an earlier version left without a record of its owner. Throws DataFolderForeign.
 */
export async function claimFolder(
  settings: FolderSettings,
  own: FolderOwner,
  ownsKey: (key: string) => Promise<'yes' | 'no' | 'unknown'>,
): Promise<void> {
  const { dataDir, allowOtherEngine } = settings;
  // The key is looked at first: another process that starts now records itself before its key.
  const key = await readFileIfExists(path.join(dataDir, adminKeyFileName));
  if ((await readFolderOwner(dataDir)) !== null) return;
  if (key !== null && own.engine === 'server') {
    const owns = await ownsKey(key.trim());
    if (owns === 'no' && !allowOtherEngine) {
      throw new DataFolderForeign(
        `The data folder ${dataDir} holds the admin key of another database, and the ` +
          'configured database is new: check MNEME_DATABASE_URL, or choose another folder with ' +
          'MNEME_DATA_DIR.',
      );
    }
    if (owns !== 'yes') return;
  }
  // A folder with embedded data is never recorded as a server's, whatever was allowed.
  if (own.engine === 'server' && hasEmbeddedDatabase(dataDir)) return;
  const text = JSON.stringify({ engine: own.engine, database_id: own.databaseId });
  await readOrCreatePrivateFile(ownerFile(dataDir), `${text}\n`);
}
