import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { BackupEntry } from './database-backup.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Gives one file of a folder as an entry while the database may write to it. It has the size that
 * it has now: what is appended is in the log as well, and what is truncated is replaced by zeros,
 * which the log truncates again. Gives nothing where the file is gone.
 */
export async function* readFileEntry(
  folder: string,
  name: string,
  assertRunning: () => void,
): AsyncGenerator<BackupEntry> {
  const file = await openIfThere(path.join(folder, name));
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield { name, size, content: readExactly(file, size, assertRunning) };
  } finally {
    await file.close();
  }
}

async function openIfThere(file: string): Promise<FileHandle | null> {
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
    // At the end of the file the rest of the chunk is zeros, as are those after it.
    const isAtEnd = bytesRead === 0;
    yield isAtEnd ? chunk : chunk.subarray(0, bytesRead);
    at += isAtEnd ? chunk.length : bytesRead;
  }
}
