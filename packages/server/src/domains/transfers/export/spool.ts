import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveKind } from '@mneme/contract';
import type { App } from '../../ctx.ts';

const bufferBytes = 256 * 1024;

/** Lines of one kind in a temporary file. */
export interface SpooledRecords {
  readonly path: string;
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Temporary files of an export: a tar file needs sizes first, and a slow reader must not hold a
 * snapshot of the database. Crashed ones are removed by the job that sweeps the folder `scratch`.
 */
export class Spool implements AsyncDisposable {
  readonly #folder: string;
  #files = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create({ config }: Pick<App, 'config'>): Promise<Spool> {
    const root = path.join(config.dataDir, 'scratch');
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new Spool(await mkdtemp(path.join(root, 'export-')));
  }

  async write(kind: ArchiveKind, rows: AsyncIterable<readonly object[]>): Promise<SpooledRecords> {
    this.#files += 1;
    const file = path.join(this.#folder, `${this.#files}-${kind}.ndjson`);
    await using handle = await open(file, 'wx', 0o600);
    let lines = 0;
    let bytes = 0;
    let buffered = '';
    for await (const page of rows) {
      for (const row of page) {
        buffered += `${JSON.stringify(row)}\n`;
        if (buffered.length < bufferBytes) continue;
        bytes += await append(handle, buffered);
        buffered = '';
      }
      lines += page.length;
    }
    bytes += await append(handle, buffered);
    return { path: file, lines, bytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function append(handle: FileHandle, text: string): Promise<number> {
  const bytes = Buffer.from(text);
  await handle.appendFile(bytes);
  return bytes.length;
}

export const readSpooled = ({ path: file }: SpooledRecords): AsyncIterable<Uint8Array> =>
  createReadStream(file, { highWaterMark: bufferBytes });
