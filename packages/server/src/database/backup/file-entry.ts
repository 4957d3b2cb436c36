import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { BackupEntry } from './database-backup.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Yields one file as an entry while the database may write to it, with its current size: the WAL
 * also contains data appended later; a truncated rest is replaced by zeros, which the replay
 * truncates again. Yields nothing if the file does not exist.
 */
export async function* readFileEntry(
  folder: string,
  name: string,
  assertRunning: () => void,
): AsyncGenerator<BackupEntry> {
  const file = await openIfExists(path.join(folder, name));
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield { name, size, content: readExactly(file, size, assertRunning) };
  } finally {
    await file.close();
  }
}

async function openIfExists(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function* readExactly(
  file: FileHandle,
  size: number,
  assertRunning: () => void,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    assertRunning();
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    // Past the end of the file, this chunk and all later ones are zeros.
    const isAtEnd = bytesRead === 0;
    yield isAtEnd ? chunk : chunk.subarray(0, bytesRead);
    at += isAtEnd ? chunk.length : bytesRead;
  }
}
