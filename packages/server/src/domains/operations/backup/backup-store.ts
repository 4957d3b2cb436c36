import type { BackupConfig } from '../../../kernel/config-backup.ts';
import type { Ids } from '../../../kernel/ids.ts';
import {
  type ArchiveNamePattern,
  type ArchiveStore,
  createBucketArchiveStore,
  createFolderArchiveStore,
} from '../../../providers/archive-store/index.ts';

const time = String.raw`\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z`;

/** The end of an id is random; its start is a time, which installations may share. */
const databaseTagOf = (databaseId: string): string => databaseId.replaceAll('-', '').slice(-8);

/** The name of a scheduled backup. Names of one database sort by time. */
export const backupFileName = (databaseId: string, at: Date): string => {
  const seconds = at.toISOString().slice(0, 19).replaceAll(':', '-');
  return `mneme-${databaseTagOf(databaseId)}-${seconds}Z.backup`;
};

/** The name of the copy of the ledger of erasures beside scheduled backups. */
export const ledgerFileName = (databaseId: string): string =>
  `mneme-${databaseTagOf(databaseId)}-erasures.ndjson`;

/** The same of any database. */
export const ledgerPattern = /^mneme-[0-9a-f]{8}-erasures\.ndjson$/;

/** Of one database, since several may share a folder or a bucket; null: of any. */
const namesOf = (databaseId: string | null): ArchiveNamePattern => {
  const start = databaseId === null ? 'mneme-' : `mneme-${databaseTagOf(databaseId)}-`;
  const mark = databaseId === null ? '[0-9a-f]{8}-' : '';
  return { namePrefix: start, pattern: new RegExp(`^${start}${mark}${time}\\.backup$`) };
};

/** Where scheduled backups go: the bucket of the settings, or else the folder. */
export async function openBackupStore(
  { bucket, folder }: BackupConfig,
  { databaseId, ids }: { readonly databaseId: string | null; readonly ids: Ids },
): Promise<ArchiveStore> {
  const names = namesOf(databaseId);
  return bucket === null
    ? createFolderArchiveStore(folder, { names, ids })
    : createBucketArchiveStore(bucket, { names });
}
