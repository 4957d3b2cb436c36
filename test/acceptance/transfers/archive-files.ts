import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';

export interface ArchiveFile {
  readonly header: Partial<Header> & { readonly name: string };
  readonly content: Buffer;
}

/** The files of an archive, for tests that change them. */
export async function unpack(archive: Uint8Array): Promise<ArchiveFile[]> {
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

const checksumsName = 'checksums.json';

/** With the checksums that these files have. */
export function withChecksums(files: readonly ArchiveFile[]): ArchiveFile[] {
  const listed = files.filter(({ header }) => header.name !== checksumsName);
  const entries = listed.map(({ header, content }) => ({
    name: header.name,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const content = Buffer.from(JSON.stringify({ entries, count: entries.length }));
  return [...listed, { header: { name: checksumsName }, content }];
}

/** The records of a file of an archive. */
export async function recordsOf(
  archive: Uint8Array,
  kind: string,
): Promise<Record<string, unknown>[]> {
  const found = (await unpack(archive)).find(({ header }) =>
    header.name.endsWith(`/${kind}.ndjson`),
  );
  const lines = found?.content.toString('utf8').trimEnd().split('\n') ?? [];
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
