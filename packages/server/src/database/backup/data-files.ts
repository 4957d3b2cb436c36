import { readdir } from 'node:fs/promises';
import path from 'node:path';

// A backup omits what pg_basebackup omits: src/backend/backup/basebackup.c.
/** Folders whose content belongs to the running server. The empty folders are required. */
const EMPTIED_FOLDERS = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** The WAL written during the backup is added after the files. */
const WAL_FOLDER = 'pg_wal';

const OMITTED_FILES = new Set([
  'backup_label',
  'backup_label.old',
  'backup_manifest',
  'postmaster.opts',
  'postmaster.pid',
  'tablespace_map',
  'tablespace_map.old',
]);

/** Belongs to one statement or one process, which does not exist in the backup. */
const TEMPORARY = /^(?:pgsql_tmp|pg_internal\.init|t\d+_\d+)|\.tmp$/;

/** A file of a relation: OID, fork and segment number. */
const RELATION = /^(\d+)(?:_(?:fsm|vm))?(?:\.\d+)?$/;

/** Copied last: recovery requires that no other file is older than it. */
export const CONTROL_FILE = 'global/pg_control';

/**
 * Lists the files of a database folder that a backup contains, except the control file and the WAL.
 * Folders end with `/` and precede their content. Files deleted during the listing are omitted.
 */
export async function* listDataFiles(folder: string, inside = ''): AsyncGenerator<string> {
  const entries = await readFolder(path.join(folder, inside));
  const names = new Set(entries.map(({ name }) => name));
  for (const entry of entries) {
    const name = `${inside}${entry.name}`;
    if (entry.isDirectory()) {
      if (isTemporary(entry.name)) continue;
      yield `${name}/`;
      if (!EMPTIED_FOLDERS.has(name)) yield* listDataFiles(folder, `${name}/`);
    } else if (entry.isFile() && !isOmitted(name, entry.name, names)) yield name;
  }
}

async function readFolder(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const isTemporary = (name: string): boolean => TEMPORARY.test(name);

function isOmitted(file: string, name: string, neighbours: ReadonlySet<string>): boolean {
  if (file === CONTROL_FILE || file.startsWith(`${WAL_FOLDER}/`)) return true;
  if (OMITTED_FILES.has(file) || isTemporary(name)) return true;
  const relation = RELATION.exec(name)?.[1];
  // For an unlogged relation, the backup contains only the init fork, which recovery starts from.
  return relation !== undefined && neighbours.has(`${relation}_init`);
}
