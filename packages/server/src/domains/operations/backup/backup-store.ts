import type { BackupConfig } from '../../../kernel/backup-config.ts';
import type { Ids } from '../../../kernel/ids.ts';
import {
  type ArchiveNamePattern,
  type ArchiveStore,
  createBucketArchiveStore,
  createFolderArchiveStore,
} from '../../../providers/archive-store/index.ts';

const time = String.raw`\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z`;

/** The end of an id is random; its start is a time, which instances may share. */
const databaseTagOf = (databaseId: string): string => databaseId.replaceAll('-', '').slice(-8);

/** The name of a scheduled backup. Names of one database sort by time. */
export const backupFileName = (databaseId: string, at: Date): string => {
  const seconds = at.toISOString().slice(0, 19).replaceAll(':', '-');
  return `mneme-${databaseTagOf(databaseId)}-${seconds}Z.backup`;
};

/** The name of the erasure ledger next to scheduled backups. */
export const ledgerFileName = (databaseId: string): string =>
  `mneme-${databaseTagOf(databaseId)}-erasures.ndjson`;

/** Matches the ledger of any database. */
export const ledgerFileNamePattern = /^mneme-[0-9a-f]{8}-erasures\.ndjson$/;

/** Names of one database, because several may share a folder or a bucket; null: of any. */
const namesOf = (databaseId: string | null): ArchiveNamePattern => {
  const prefix = databaseId === null ? 'mneme-' : `mneme-${databaseTagOf(databaseId)}-`;
  const tag = databaseId === null ? '[0-9a-f]{8}-' : '';
  return { namePrefix: prefix, pattern: new RegExp(`^${prefix}${tag}${time}\\.backup$`) };
};

/** Opens the store of scheduled backups: the configured bucket, otherwise the folder. */
export async function openBackupStore(
  { bucket, folder }: BackupConfig,
  { databaseId, ids }: { readonly databaseId: string | null; readonly ids: Ids },
): Promise<ArchiveStore> {
  const names = namesOf(databaseId);
  return bucket === null
    ? createFolderArchiveStore(folder, { names, ids })
    : createBucketArchiveStore(bucket, { names });
}
