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

export interface LoadOptions {
  readonly database: Pick<Manifest['database'], 'kind' | 'schema_version'>;
  readonly entries: Entries;
  readonly migrations: string;
  /** Of all entries, about. */
  readonly bytes: number;
  /** So much of the database is in place: 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Runs in the restored database before any server can open it. */
  readonly prepare: (engine: Engine) => Promise<void>;
}

const connections = 2;

/** A data folder in which an embedded database is made whole before it is put in its place. */
export const restoreScratchFolder = (dataDir: string): string => path.join(dataDir, 'restoring');

const removeScratch = (dataDir: string): Promise<void> =>
  rm(restoreScratchFolder(dataDir), { recursive: true, force: true });

/** Puts the database of an archive in place, of either kind and in either engine. */
export async function loadDatabase(
  { dataDir, databaseUrl }: DatabaseTarget,
  loading: LoadOptions,
  deps: EngineDeps,
): Promise<void> {
  if (databaseUrl === null) {
    // The folder was empty: an interrupted call has put it there.
    await rm(path.join(dataDir, 'pg'), { recursive: true, force: true });
    await loadIntoScratch(dataDir, loading, deps);
    await promoteScratch(dataDir);
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
}: Pick<LoadOptions, 'entries' | 'bytes' | 'onProgress'>): AsyncGenerator<BackupEntry> {
  let read = 0;
  const counted = async function* (content: BackupEntry['content']) {
    for await (const piece of content) {
      read += piece.length;
      onProgress(Math.min(1, read / Math.max(1, bytes)));
      yield piece;
    }
  };
  for await (const entry of entries) yield { ...entry, content: counted(entry.content) };
}

/** Makes the embedded database in the scratch folder, without what an interrupted call left. */
export async function loadIntoScratch(
  dataDir: string,
  loading: LoadOptions,
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

/** In one step. */
export async function promoteScratch(dataDir: string): Promise<void> {
  await rename(path.join(restoreScratchFolder(dataDir), 'pg'), path.join(dataDir, 'pg'));
  await fsyncFolder(dataDir);
  await removeScratch(dataDir);
}

async function loadIntoServer(
  url: string,
  scratch: string,
  loading: LoadOptions,
  deps: EngineDeps,
): Promise<void> {
  const { database, migrations, prepare } = loading;
  const entries = withProgress(loading);
  const settings = { kind: 'server', url, poolMax: connections } as const;
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

/** The list of tables is the first entry, and says how the others are read. */
async function loadFromTables(engine: Engine, entries: Entries): Promise<void> {
  const rest = entries[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done || first.value.name !== TABLE_LIST_NAME) {
    throw new RestoreRefused('The backup has no list of its tables.');
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of first.value.content) pieces.push(piece);
  const list = parseTableList(Buffer.concat(pieces).toString('utf8'));
  await loadTables(engine, list, { [Symbol.asyncIterator]: () => rest });
}
