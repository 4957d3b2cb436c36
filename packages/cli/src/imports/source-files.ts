import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import yauzl from 'yauzl';
import { CliError } from '../errors.ts';
import { type SkippedItem, skipped } from './items.ts';

/** A file of an export. */
export interface SourceFile {
  readonly type: 'file';
  /** Relative to the folder or archive, with slashes. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  open(): AsyncIterable<Uint8Array>;
}

export interface Source {
  /** The name of the file, archive or folder. */
  readonly name: string;
  /** Files in the order of their names, and what is none. */
  readonly files: readonly (SourceFile | SkippedItem)[];
  close(): void;
}

const chunkBytes = 256 * 1024;

/** A file, a zip archive, or everything in a folder. Throws CliError `unreadable_file`. */
export async function openSource(given: string): Promise<Source> {
  const resolved = path.resolve(given);
  const name = path.basename(resolved);
  try {
    const stat = await fs.stat(resolved);
    if (stat.isDirectory())
      return { name, files: await listFolder(resolved), close: () => undefined };
    if (!stat.isFile()) throw new CliError('unreadable_file', `${given} is not a file or folder.`);
    if (await isZip(resolved)) return await openZip(resolved, name);
    const file = toSourceFile(resolved, name, stat);
    return { name, files: [file], close: () => undefined };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? error})`;
    throw new CliError('unreadable_file', `${given} ${why}.`);
  }
}

const toSourceFile = (
  file: string,
  name: string,
  { size, mtime }: { readonly size: number; readonly mtime: Date },
): SourceFile => ({
  type: 'file',
  name,
  bytes: size,
  modifiedAt: new Date(Math.floor(mtime.getTime())),
  open: () => createReadStream(file, { highWaterMark: chunkBytes }),
});

/** Hidden folders hold settings and deleted notes; links may lead out of the folder. */
async function listFolder(root: string): Promise<(SourceFile | SkippedItem)[]> {
  const found: (SourceFile | SkippedItem)[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await fs.readdir(path.join(root, folder), {
      encoding: 'buffer',
      withFileTypes: true,
    });
    for (const entry of entries) {
      const raw = entry.name;
      const name = raw.toString('utf8');
      const place = folder === '' ? name : `${folder}/${name}`;
      if (name.startsWith('.')) continue;
      if (!Buffer.from(name).equals(raw)) found.push(skipped('name_not_utf8', place));
      else if (entry.isSymbolicLink()) found.push(skipped('symbolic_link', place));
      else if (entry.isDirectory()) folders.push(place);
      else if (!entry.isFile()) found.push(skipped('no_file', place));
      else found.push(await statFile(root, place));
    }
  }
  const nameOf = (one: SourceFile | SkippedItem) => (one.type === 'file' ? one.name : one.place);
  return found.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function statFile(root: string, name: string): Promise<SourceFile | SkippedItem> {
  const file = path.join(root, name);
  try {
    return toSourceFile(file, name, await fs.stat(file));
  } catch {
    return skipped('unreadable_file', name);
  }
}

async function isZip(file: string): Promise<boolean> {
  await using handle = await fs.open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.readUInt32BE() === 0x504b0304;
}

/** Entries are unpacked while they are read, never to the disk. */
async function openZip(file: string, name: string): Promise<Source> {
  try {
    const zip = await yauzl.openPromise(file, { autoClose: false, lazyEntries: true });
    const files: SourceFile[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      files.push({
        type: 'file',
        name: entry.fileName,
        bytes: entry.uncompressedSize,
        modifiedAt: entry.getLastModDate(),
        open: () => readZipEntry(zip, entry),
      });
    }
    files.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { name, files, close: () => zip.close() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('unreadable_file', `${name} is a damaged zip archive: ${why}.`);
  }
}

async function* readZipEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('unreadable_file', `${entry.fileName} in the archive is damaged: ${why}.`);
  }
}
