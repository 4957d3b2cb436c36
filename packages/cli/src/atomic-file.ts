import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CliError } from './errors.ts';
import { randomSuffix } from './kernel.ts';

/**
 * Writes a file that is there whole or not at all: beside its name first, then durably under it.
 * What a killed process left beside the same name is removed. Returns the number of bytes. Throws
 * Fault `file_exists`, `unwritable_file`, and what the source throws; then nothing is left behind.
 */
export async function writeFileAtomically(
  file: string,
  source: AsyncIterable<Uint8Array>,
  { replace, onBytes }: { readonly replace: boolean; onBytes(bytes: number): void },
): Promise<number> {
  const place = path.resolve(file);
  const draft = `${place}.${host}-${process.pid}-${randomSuffix()}.partial`;
  try {
    if (!replace) requireNotExisting(file, place);
    await removeStaleDrafts(place);
    const bytes = await write(draft, source, onBytes);
    if (!replace) requireNotExisting(file, place);
    await rename(draft, place);
    await syncFolder(path.dirname(place));
    return bytes;
  } catch (error) {
    await rm(draft, { force: true });
    throw toCliError(file, error);
  }
}

/** Several machines may share a folder: only processes of this one can be seen to be gone. */
const host = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const draftSuffixPattern = /^\.([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.partial$/;

async function removeStaleDrafts(place: string): Promise<void> {
  const [folder, target] = [path.dirname(place), path.basename(place)];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(target)) continue;
    const [, writer, pid] = draftSuffixPattern.exec(name.slice(target.length)) ?? [];
    if (writer !== host || isRunning(Number(pid))) continue;
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
  draft: string,
  source: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<number> {
  await using handle = await open(draft, 'wx', 0o600);
  let bytes = 0;
  for await (const piece of source) {
    await handle.writeFile(piece);
    bytes += piece.length;
    onBytes(bytes);
  }
  await handle.sync();
  return bytes;
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
}

function requireNotExisting(file: string, place: string): void {
  if (!existsSync(place)) return;
  throw new CliError('file_exists', `${file} exists. Choose another name, or use --replace.`);
}

function toCliError(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  return new CliError('unwritable_file', `${file} cannot be written (${code}).`);
}
