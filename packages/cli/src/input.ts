import { openAsBlob } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './errors.ts';

/** Far above the service's limit for a memory, so that the service reports its own limit. */
const inputBytesMax = 8 * 1024 * 1024;

/** A file that is read while it is sent. Throws CliError `unreadable_file`. */
export async function openFile(file: string): Promise<{ file: Blob; filename: string }> {
  try {
    // Without this check a folder would fail in the middle of the request.
    await using handle = await fs.open(file);
    if (!(await handle.stat()).isFile())
      throw new CliError('unreadable_file', `${file} is not a file.`);
    return { file: await openAsBlob(file), filename: path.basename(file) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new CliError('unreadable_file', `${file} ${why}.`);
  }
}

/** Whether a file has this path; false for any text that is no path. */
export async function isFile(text: string): Promise<boolean> {
  try {
    return (await fs.stat(text)).isFile();
  } catch {
    // No file, no permission, or no path at all: too long, or with a null character.
    return false;
  }
}

/** Reads a file as UTF-8 text, like `readText`. Throws CliError `unreadable_file`. */
export async function readTextFile(file: string): Promise<string> {
  const opened = await openFile(file);
  return readText(opened.file.stream() as unknown as AsyncIterable<Uint8Array>);
}

/** Reads a stream as UTF-8 text, without the final line break that `echo` adds. */
export async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > inputBytesMax) {
      throw new CliError('content_too_large', `The input has more than ${inputBytesMax} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return decoder.decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch {
    // The decoder's message has no more information.
    throw new CliError('invalid_characters', 'The input is not valid UTF-8.');
  }
}
