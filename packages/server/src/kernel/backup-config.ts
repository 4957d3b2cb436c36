import path from 'node:path';
import { readS3Access, type S3Config } from './media-config.ts';
import type { SettingName } from './settings.ts';

export interface BackupConfig {
  /** A cron expression of five fields in UTC; null: no scheduled backups. */
  readonly schedule: string | null;
  /** For scheduled backups without a bucket, and for backups before an upgrade. */
  readonly folder: string;
  /** For scheduled backups; null: they are written to the folder. */
  readonly bucket: S3Config | null;
  /** The number of scheduled backups to retain. */
  readonly keep: number;
  /** Encrypts the secret key in an archive; null: archives do not contain it. */
  readonly passphrase: string | null;
  readonly beforeUpgrade: boolean;
}

type ReadSetting = (name: SettingName) => string | null;

export function readBackupConfig(value: ReadSetting, dataDir: string): BackupConfig {
  const folder = value('MNEME_BACKUP_DIR');
  const bucket = value('MNEME_BACKUP_BUCKET');
  // readMediaConfig reports invalid settings of the access.
  const access = readS3Access(value, []);
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
