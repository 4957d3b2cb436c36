import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** What a copy leaves out is what pg_basebackup leaves out: src/backend/backup/basebackup.c. */

/** Folders whose content belongs to the running server; the folders themselves are needed. */
const EMPTIED_FOLDERS = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** The log of the time of the copy is added once the files are copied. */
const WAL_FOLDER = 'pg_wal';

const LEFT_OUT_FILES = new Set([
  'backup_label',
  'backup_label.old',
  'backup_manifest',
  'postmaster.opts',
  'postmaster.pid',
  'tablespace_map',
  'tablespace_map.old',
]);

/** Made by one statement or one process, which does not exist in the copy. */
const TEMPORARY = /^(?:pgsql_tmp|pg_internal\.init|t\d+_\d+)|\.tmp$/;

/** A part of a relation: its number, the kind of data, the number of the file. */
const RELATION = /^(\d+)(?:_(?:fsm|vm))?(?:\.\d+)?$/;

/** Copied last, since it says what state the other files have at least. */
export const CONTROL_FILE = 'global/pg_control';

/**
 * Lists what a copy of a database folder has to contain besides the control file and the log.
 * Folders end with `/` and come before their content. What goes while the list is read is left out.
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
    } else if (entry.isFile() && !isLeftOut(name, entry.name, names)) yield name;
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

function isLeftOut(file: string, name: string, neighbours: ReadonlySet<string>): boolean {
  if (file === CONTROL_FILE || file.startsWith(`${WAL_FOLDER}/`)) return true;
  if (LEFT_OUT_FILES.has(file) || isTemporary(name)) return true;
  const relation = RELATION.exec(name)?.[1];
  // Of an unlogged relation a copy has the empty state alone, which recovery begins with.
  return relation !== undefined && neighbours.has(`${relation}_init`);
}
