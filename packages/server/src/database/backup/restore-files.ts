import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncPath } from '../embedded/sync-files.ts';
import { DatabaseBackupInvalid } from '../errors.ts';
import { CONTROL_FILE } from './data-files.ts';
import type { BackupEntry } from './database-backup.ts';

/** Without the label, PostgreSQL would open the backup in an inconsistent state. */
const REQUIRED = ['PG_VERSION', CONTROL_FILE, 'backup_label'];
const SYNCS_AT_ONCE = 8;

/** The major version of the embedded PostgreSQL. It opens only files of the same major version. */
export const EMBEDDED_POSTGRES_MAJOR = 18;

const NAME = /^[\w.-]+(?:\/[\w.-]+)*\/?$/;

/**
 * Writes a `files` backup as the database folder (the folder `pg` of a data folder), which must not
 * exist. The folder appears atomically when everything is on disk. Opening it recovers the
 * database.
 *
 * Throws DatabaseBackupInvalid for entries that are not such a backup, and file system errors.
 */
export async function restoreFiles(
  entries: AsyncIterable<BackupEntry>,
  folder: string,
): Promise<void> {
  if (existsSync(folder)) throw new DatabaseBackupInvalid(`${folder} already exists`);
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const written = new RestoredFiles(unfinished);
    for await (const entry of entries) await written.add(entry);
    const missing = REQUIRED.filter((name) => !written.has(name));
    if (missing.length > 0) {
      throw new DatabaseBackupInvalid(`The database backup has no ${missing.join(', ')}`);
    }
    await written.sync();
    await rename(unfinished, folder);
    syncPath(path.dirname(folder));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** The files and folders written so far. */
class RestoredFiles {
  readonly #root: string;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(root: string) {
    this.#root = root;
    this.#folders.add(root);
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  async add({ name, size, content }: BackupEntry): Promise<void> {
    if (!NAME.test(name) || name.split('/').includes('..')) {
      throw new DatabaseBackupInvalid(
        `${JSON.stringify(name)} is not a valid name of a database file`,
      );
    }
    if (this.#files.has(name))
      throw new DatabaseBackupInvalid(`${name} occurs twice in the backup`);
    const target = path.join(this.#root, name);
    await this.#makeFolder(name.endsWith('/') ? target : path.dirname(target));
    if (name.endsWith('/')) return;
    this.#files.add(name);
    const bytes = await writeNew(target, content);
    if (bytes !== size) {
      throw new DatabaseBackupInvalid(`${name} has ${bytes} bytes instead of ${size}`);
    }
  }

  /**
   * Syncs several files in parallel after all are written: half the time of one sync after each
   * file.
   */
  async sync(): Promise<void> {
    const names = this.#files.values();
    await Promise.all(
      Array.from({ length: SYNCS_AT_ONCE }, async () => {
        for (const name of names) await syncFile(path.join(this.#root, name));
      }),
    );
    // New directory entries are durable after an fsync of the folder.
    for (const folder of this.#folders) syncPath(folder);
  }

  async #makeFolder(target: string): Promise<void> {
    const folder = path.resolve(target);
    if (this.#folders.has(folder)) return;
    await this.#makeFolder(path.dirname(folder));
    await mkdir(folder, { mode: 0o700 });
    this.#folders.add(folder);
  }
}

async function writeNew(target: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await open(target, 'wx', 0o600);
  let bytes = 0;
  for await (const chunk of content) {
    await file.writeFile(chunk);
    bytes += chunk.length;
  }
  return bytes;
}

async function syncFile(target: string): Promise<void> {
  await using file = await open(target, 'r');
  await file.sync();
}
