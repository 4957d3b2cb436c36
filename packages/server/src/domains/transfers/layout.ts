import { type ArchiveKind, archiveKinds } from '@mneme/contract';

/** Names of the entries of an export: `accounts/<id>/<kind>.ndjson` and `blobs/<sha256>`. */
export const recordsEntryName = (accountId: string, kind: ArchiveKind): string =>
  `accounts/${accountId}/${kind}.ndjson`;
export const fileEntryName = (sha256: string): string => `blobs/${sha256}`;

/** Read after the files, which their rows belong to. */
export const kindsAfterFiles: readonly ArchiveKind[] = [
  'transcripts',
  'interpretations',
  'segments',
];
export const kindsBeforeFiles: readonly ArchiveKind[] = archiveKinds.filter(
  (kind) => !kindsAfterFiles.includes(kind),
);

export type EntryContent =
  | { readonly type: 'records'; readonly accountId: string; readonly kind: ArchiveKind }
  | { readonly type: 'file'; readonly sha256: string };

const recordsPattern =
  /^accounts\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/([a-z_]+)\.ndjson$/;
const filePattern = /^blobs\/([0-9a-f]{64})$/;

/** Null for a name that no export has. */
export function parseEntryName(name: string): EntryContent | null {
  const sha256 = filePattern.exec(name)?.[1];
  if (sha256 !== undefined) return { type: 'file', sha256 };
  const [, accountId = '', kindName = ''] = recordsPattern.exec(name) ?? [];
  const kind = archiveKinds.find((one) => one === kindName);
  return kind === undefined ? null : { type: 'records', accountId, kind };
}

/** A longer line is rejected: a reader holds one in memory. */
export const lineBytesMax = 16 * 2 ** 20;
