import { openAsBlob } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './errors.ts';

/** Far more than the service takes as one memory; it names its own limit. */
const inputBytesMax = 8 * 1024 * 1024;

/** A file that is read as it is sent. Throws Fault `unreadable_file`. */
export async function openFile(file: string): Promise<{ file: Blob; filename: string }> {
  try {
    // Without it a folder would be found out in the middle of a request.
    await using handle = await fs.open(file);
    if (!(await handle.stat()).isFile())
      throw new CliError('unreadable_file', `${file} is no file.`);
    return { file: await openAsBlob(file), filename: path.basename(file) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new CliError('unreadable_file', `${file} ${why}.`);
  }
}

/** All of a stream as UTF-8 text, without the line break that `echo` puts at its end. */
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
    // The decoder's own message says no more than this one.
    throw new CliError('invalid_characters', 'The input is not valid UTF-8.');
  }
}
