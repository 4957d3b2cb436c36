import { createHash } from 'node:crypto';
import {
  type ArchiveFile,
  packFiles,
  unpackFiles as unpack,
} from '../../../packages/server/src/providers/archive/testing.ts';

export { type ArchiveFile, packFiles, unpack };

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
