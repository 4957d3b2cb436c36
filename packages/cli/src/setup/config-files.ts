import fs from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { CliError } from '../errors.ts';
import type { ConfigEdit, SetupTarget } from './clients.ts';

/** A file as it is and as it will be; null: it does not exist. */
export interface FileChange {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What happens to the copy of the original. */
  readonly backup: 'create' | 'remove' | 'keep';
}

const backupOf = (file: string): string => `${file}.mneme-backup`;

/** Null: the file has our entries for this target already. Throws CliError `unreadable_file`. */
export async function planAddition(
  edit: ConfigEdit,
  target: SetupTarget,
): Promise<FileChange | null> {
  const before = await readIfExists(edit.file);
  const after = edit.add(before ?? '', target);
  if (after === before) return null;
  // Entries of an earlier run: its backup is the original.
  const hasEntries = before !== null && edit.remove(before) !== before;
  const backup = before === null || hasEntries ? 'keep' : 'create';
  return { file: edit.file, before, after, backup };
}

/**
 * Null: the file has none of our entries. If it has not changed since it was written, it becomes
 * the original again, byte by byte; otherwise only our entries are removed.
 */
export async function planRemoval(edit: ConfigEdit): Promise<FileChange | null> {
  const { file } = edit;
  const before = await readIfExists(file);
  if (before === null) return null;
  const after = edit.remove(before);
  if (after === before) return null;
  const original = await readIfExists(backupOf(file));
  if (edit.copy(before, original ?? '') === before) {
    return { file, before, after: original, backup: 'remove' };
  }
  return { file, before, after, backup: 'keep' };
}

/** Writes through links, and keeps the permissions of a file that exists. */
export async function applyChange({ file, before, after, backup }: FileChange): Promise<void> {
  const target = before === null ? file : await fs.realpath(file);
  if (backup === 'create' && before !== null) {
    await write(backupOf(file), before, 0o600);
  }
  if (after === null) await fs.rm(target);
  else {
    await fs.mkdir(path.dirname(target), { recursive: true });
    const mode = before === null ? 0o600 : (await fs.stat(target)).mode & 0o777;
    await write(target, after, mode);
  }
  if (backup === 'remove') await fs.rm(backupOf(file), { force: true });
}

async function write(file: string, text: string, mode: number): Promise<void> {
  const bytes = (async function* () {
    yield new TextEncoder().encode(text);
  })();
  await writeFileAtomically(file, bytes, { replace: true, onBytes: () => undefined });
  await fs.chmod(file, mode);
}

async function readIfExists(file: string): Promise<string | null> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CliError('unreadable_file', `Cannot read ${file} (${code}).`);
  }
}
