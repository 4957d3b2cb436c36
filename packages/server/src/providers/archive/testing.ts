import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract, pack, type Headers as TarHeader } from 'tar-stream';
import { compress } from './gzip.ts';
import type { ManifestDetails } from './manifest.ts';
import { type ArchiveEntry, generateArchive } from './write.ts';

export const sampleManifestDetails: ManifestDetails = {
  program_version: '0.1.0',
  created_at: '2026-11-22T10:00:00.000Z',
  database: {
    kind: 'files',
    id: '019ab0c8-0000-7000-8000-000000000000',
    postgres_version: '17.5',
    schema_version: 1,
    migrations: [{ name: '0001_foundation.sql', checksum: 'ab'.repeat(32) }],
  },
  settings: { MNEME_EMBEDDING_MODEL: 'static', MNEME_BLOBS: null },
};

export interface SampleEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const createSampleEntry = (name: string, text: string): SampleEntry => ({
  name,
  bytes: Buffer.from(text),
});

export async function* splitIntoChunks(
  bytes: Uint8Array,
  size = 1_000,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function* toArchiveEntries(all: readonly SampleEntry[]): AsyncGenerator<ArchiveEntry> {
  for (const { name, bytes } of all)
    yield { name, size: bytes.length, content: splitIntoChunks(bytes) };
}

export async function concatChunks(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

export const buildArchive = (
  entries: readonly SampleEntry[],
  secretKey: Uint8Array | null = null,
): Promise<Buffer> =>
  concatChunks(
    generateArchive({
      manifest: sampleManifestDetails,
      secretKey,
      entries: toArchiveEntries(entries),
    }),
  );

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];

/** Builds an archive with arbitrary headers, as another program might, and a correct end record. */
export async function buildForeignArchive(
  entries: readonly { readonly header: Header; readonly content: string }[],
): Promise<Buffer> {
  const tar = pack();
  for (const { header, content } of entries) tar.entry(header, content);
  tar.finalize();
  return gzipTar(await concatChunks(tar as AsyncIterable<unknown> as AsyncIterable<Uint8Array>));
}

/** Compresses a tar stream as in an archive. */
export const gzipTar = (tar: Uint8Array): Promise<Buffer> =>
  concatChunks(
    compress(
      (async function* () {
        yield { bytes: tar, isStored: false };
      })(),
    ),
  );

/** A temporary folder for the files of one test file. */
export async function createTestFolder() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-archive-'));
  return {
    path: folder,
    async put(bytes: Uint8Array, name = 'archive'): Promise<string> {
      const file = path.join(folder, name);
      await writeFile(file, bytes);
      return file;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A file of a tar archive; a test may give it any header. */
export interface ArchiveFile {
  readonly header: Partial<TarHeader> & { readonly name: string };
  readonly content: Buffer;
}

/** The files of a gzip'd tar file, for tests that change them. */
export async function unpackFiles(archive: Uint8Array): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.push({ header: { name: entry.header.name }, content: Buffer.concat(chunks) });
  }
  return files;
}

/** A plain tar file of these files. */
export async function packFiles(files: readonly ArchiveFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { header, content } of files) tar.entry({ ...header }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
