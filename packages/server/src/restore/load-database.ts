import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type BackupEntry,
  dumpTables,
  type Engine,
  type EngineDeps,
  loadTables,
  migrate,
  openEngine,
  parseTableList,
  restoreFiles,
  TABLE_LIST_NAME,
} from '../database/index.ts';
import { fsyncFolder } from '../kernel/fsync-folder.ts';
import type { Manifest } from '../providers/archive/index.ts';
import { RestoreRefused } from './errors.ts';

type Entries = AsyncIterable<BackupEntry>;

export interface DatabaseTarget {
  readonly dataDir: string;
  /** Null: the embedded database of the data folder. */
  readonly databaseUrl: string | null;
}

export interface LoadDatabaseOptions {
  readonly database: Pick<Manifest['database'], 'kind' | 'schema_version'>;
  readonly entries: Entries;
  readonly migrations: string;
  /** The approximate size of all entries. */
  readonly bytes: number;
  /** Receives the loaded share of the database, 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Runs in the restored database before a server can open it. */
  readonly prepare: (engine: Engine) => Promise<void>;
}

const poolMax = 2;

/** A temporary data folder in which an embedded database is completed before its rename. */
export const restoreScratchFolder = (dataDir: string): string => path.join(dataDir, 'restoring');

const removeScratch = (dataDir: string): Promise<void> =>
  rm(restoreScratchFolder(dataDir), { recursive: true, force: true });

/** Loads the database of an archive of either kind into either engine. */
export async function loadDatabase(
  { dataDir, databaseUrl }: DatabaseTarget,
  loading: LoadDatabaseOptions,
  deps: EngineDeps,
): Promise<void> {
  if (databaseUrl === null) {
    // The data folder was empty before, so an interrupted call created this folder.
    await rm(path.join(dataDir, 'pg'), { recursive: true, force: true });
    await loadIntoScratchFolder(dataDir, loading, deps);
    await promoteScratchFolder(dataDir);
  } else {
    await removeScratch(dataDir);
    await loadIntoServer(databaseUrl, restoreScratchFolder(dataDir), loading, deps);
    await removeScratch(dataDir);
  }
}

async function* withProgress({
  entries,
  bytes,
  onProgress,
}: Pick<LoadDatabaseOptions, 'entries' | 'bytes' | 'onProgress'>): AsyncGenerator<BackupEntry> {
  let read = 0;
  const counted = async function* (content: BackupEntry['content']) {
    for await (const chunk of content) {
      read += chunk.length;
      onProgress(Math.min(1, read / Math.max(1, bytes)));
      yield chunk;
    }
  };
  for await (const entry of entries) yield { ...entry, content: counted(entry.content) };
}

/** Creates the embedded database in the scratch folder, which it empties first. */
export async function loadIntoScratchFolder(
  dataDir: string,
  loading: LoadDatabaseOptions,
  deps: EngineDeps,
): Promise<void> {
  const { database, migrations, prepare } = loading;
  const entries = withProgress(loading);
  await removeScratch(dataDir);
  const scratch = restoreScratchFolder(dataDir);
  if (database.kind === 'files') await restoreFiles(entries, path.join(scratch, 'pg'));
  {
    await using engine = await openEngine({ kind: 'embedded', dataDir: scratch }, deps);
    if (database.kind === 'tables') {
      await migrate(engine, migrations, { ...deps, upTo: database.schema_version });
      await loadFromTables(engine, entries);
    }
    await prepare(engine);
  }
}

/** Moves the database from the scratch folder into the data folder with one rename. */
export async function promoteScratchFolder(dataDir: string): Promise<void> {
  await rename(path.join(restoreScratchFolder(dataDir), 'pg'), path.join(dataDir, 'pg'));
  await fsyncFolder(dataDir);
  await removeScratch(dataDir);
}

async function loadIntoServer(
  url: string,
  scratch: string,
  loading: LoadDatabaseOptions,
  deps: EngineDeps,
): Promise<void> {
  const { database, migrations, prepare } = loading;
  const entries = withProgress(loading);
  const settings = { kind: 'server', url, poolMax } as const;
  await using engine = await openEngine(settings, deps);
  await migrate(engine, migrations, { ...deps, upTo: database.schema_version });
  if (database.kind === 'tables') {
    await loadFromTables(engine, entries);
  } else {
    await restoreFiles(entries, path.join(scratch, 'pg'));
    await using source = await openEngine({ kind: 'embedded', dataDir: scratch }, deps);
    await using copy = await dumpTables(source);
    await loadFromTables(engine, copy.entries());
  }
  await prepare(engine);
}

/** The first entry is the list of tables, which describes the format of the others. */
async function loadFromTables(engine: Engine, entries: Entries): Promise<void> {
  const remaining = entries[Symbol.asyncIterator]();
  const first = await remaining.next();
  if (first.done || first.value.name !== TABLE_LIST_NAME) {
    throw new RestoreRefused('The backup has no table list: use another backup.');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of first.value.content) chunks.push(chunk);
  const list = parseTableList(Buffer.concat(chunks).toString('utf8'));
  await loadTables(engine, list, { [Symbol.asyncIterator]: () => remaining });
}
