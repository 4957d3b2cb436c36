import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CliError } from './errors.ts';
import { randomSuffix } from './kernel.ts';

/**
 * Writes a file atomically and durably: writes a temporary file in the same folder, syncs it and
 * renames it. Removes temporary files that killed processes left for the same name. Returns the
 * number of bytes. Throws CliError `file_exists` or `unwritable_file`, and rethrows errors of the
 * source; on an error it removes the temporary file.
 */
export async function writeFileAtomically(
  file: string,
  source: AsyncIterable<Uint8Array>,
  { replace, onBytes }: { readonly replace: boolean; onBytes(bytes: number): void },
): Promise<number> {
  const target = path.resolve(file);
  const temporary = `${target}.${hostTag}-${process.pid}-${randomSuffix()}.partial`;
  try {
    if (!replace) requireNotExisting(file, target);
    await removeStaleTemporaryFiles(target);
    const bytes = await write(temporary, source, onBytes);
    if (!replace) requireNotExisting(file, target);
    await rename(temporary, target);
    await syncFolder(path.dirname(target));
    return bytes;
  } catch (error) {
    // The first error is the one to report: where the folder is a file, the removal fails, too.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw toCliError(file, error);
  }
}

/** Machines may share a folder, but a process can be checked only on its own machine. */
const hostTag = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const temporarySuffixPattern = /^\.([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.partial$/;

async function removeStaleTemporaryFiles(target: string): Promise<void> {
  const [folder, targetName] = [path.dirname(target), path.basename(target)];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(targetName)) continue;
    const [, writer, pid] = temporarySuffixPattern.exec(name.slice(targetName.length)) ?? [];
    if (writer !== hostTag || isRunning(Number(pid))) continue;
    await rm(path.join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function write(
  file: string,
  source: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<number> {
  await using handle = await open(file, 'wx', 0o600);
  let bytes = 0;
  for await (const chunk of source) {
    await handle.writeFile(chunk);
    bytes += chunk.length;
    onBytes(bytes);
  }
  await handle.sync();
  return bytes;
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
}

function requireNotExisting(file: string, target: string): void {
  if (!existsSync(target)) return;
  throw new CliError('file_exists', `${file} exists. Choose another name, or use --replace.`);
}

function toCliError(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  const problem = problems[code] ?? `${code}: correct the cause, or choose another place`;
  return new CliError('unwritable_file', `Cannot write ${file}: ${problem}.`);
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist: create it, or choose another place',
  ENOTDIR: 'its folder is a file: choose another place',
  EACCES: 'this user may not write there: choose another place',
  EPERM: 'this user may not write there: choose another place',
  EROFS: 'the file system is read-only: choose another place',
  ENOSPC: 'the disk is full: free space, or choose another place',
  EDQUOT: 'the disk quota is used up: free space, or choose another place',
};
