import path from 'node:path';
import { type S3Config, s3Access } from './config-media.ts';
import type { SettingName } from './settings.ts';

export interface BackupConfig {
  /** A cron expression of five fields in UTC; null: none is made by a schedule. */
  readonly schedule: string | null;
  /** Of scheduled backups without a bucket, and of those before an upgrade. */
  readonly folder: string;
  /** Of scheduled backups; null: they go to the folder. */
  readonly bucket: S3Config | null;
  /** Scheduled backups that are kept. */
  readonly keep: number;
  /** Encrypts the secret key in an archive; null: the archive has none. */
  readonly passphrase: string | null;
  readonly beforeUpgrade: boolean;
}

type ReadSetting = (name: SettingName) => string | null;

export function backupConfig(value: ReadSetting, dataDir: string): BackupConfig {
  const folder = value('MNEME_BACKUP_DIR');
  const bucket = value('MNEME_BACKUP_BUCKET');
  // Faults of the access are reported with the store of files.
  const access = s3Access(value, []);
  return {
    schedule: value('MNEME_BACKUP_SCHEDULE'),
    folder: path.resolve(folder ?? path.join(dataDir, 'backups')),
    bucket:
      bucket === null ? null : { ...access, bucket, prefix: value('MNEME_BACKUP_PREFIX') ?? '' },
    keep: Number(value('MNEME_BACKUP_KEEP')),
    passphrase: value('MNEME_BACKUP_PASSPHRASE'),
    beforeUpgrade: value('MNEME_BACKUP_BEFORE_UPGRADE') === 'on',
  };
}
