import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, type FileSystemHooks } from './filesystem.ts';
import { compilePostgres } from './postgres-program.ts';

/** Parameters of PostgreSQL, also when it creates a database. */
export const embeddedStartParameters: readonly string[] = [
  // -F is fsync=off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on'],
  // The default, fdatasync, does nothing in this build; fsync calls DurableNodeFs.
  ...['-c', 'wal_sync_method=fsync'],
  // With 32 MB, a traversal of 50,000 entities spends half of its time rereading pages.
  ...['-c', 'shared_buffers=64MB'],
  // WAL retained for reuse after a checkpoint; worker.ts decides when to run one.
  ...['-c', 'max_wal_size=160MB'],
  // ANALYZE samples 300 rows per unit: 3,000 instead of 30,000 rows, a tenth of the blocking time.
  ...['-c', 'default_statistics_target=10'],
  ...['-c', 'TimeZone=UTC'],
];

/**
 * Statements for a new database. They remove the databases that only `create database` would copy,
 * which Mneme never runs: half of the files of a new data folder, and a third of its size.
 */
export const preparationStatements: readonly string[] = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
];

interface SqlParser {
  _raw_parser(text: number, mode: number): number;
  stackSave(): number;
  stackRestore(stack: number): void;
  stringToUTF8OnStack(text: string): number;
}

class LeanPglite extends PGlite {
  /**
   * PGlite calls this after the start, before the first statement. The types of arrays, which it
   * would read here, are used by its own `query` alone.
   */
  override async _initArrayTypes(): Promise<void> {
    keepParserUnoptimized(this.Module as unknown as SqlParser);
  }
}

/**
 * V8 takes PostgreSQL's parser, one function of 105 kB, for a hot one after a few statements: to
 * optimize it takes 600 MB and 1.6 s of CPU (V8 13.6), and statements are parsed only once. A
 * function that is compiled while this flag names another is never optimized, and it is compiled
 * by its first call. Where V8 does not know the flag, the parser is optimized as before.
 */
function keepParserUnoptimized(parser: SqlParser): void {
  const stack = parser.stackSave();
  setFlagsFromString('--wasm-tier-up-filter=0');
  try {
    parser._raw_parser(parser.stringToUTF8OnStack(''), 0);
  } finally {
    setFlagsFromString('--wasm-tier-up-filter=-1');
    parser.stackRestore(stack);
  }
}

/**
 * Opens the database of a folder in this thread, and creates it if the folder is empty. `program`
 * is what `compilePostgres` returned.
 */
export async function openPglite(
  folder: string,
  hooks: FileSystemHooks,
  program: object | null = null,
): Promise<PGlite> {
  const fs = new DurableNodeFs(folder, hooks);
  try {
    const pgliteWasmModule = program ?? (await compilePostgres());
    const database = new LeanPglite({
      fs,
      startParams: [...embeddedStartParameters],
      ...(pgliteWasmModule ? { pgliteWasmModule } : {}),
    });
    await database.waitReady;
    return database;
  } catch (error) {
    if (fs.lastErrorMessage === '') throw error;
    throw new Error(fs.lastErrorMessage, { cause: error });
  }
}
