import { Cron } from 'croner';
import { checkAnyText, checkInteger, checkOneOf, type Setting } from './setting.ts';

const passphraseCharactersMin = 12;

const cronExpression = (text: string): string | null => {
  try {
    new Cron(text, { paused: true, mode: '5-part' });
    return null;
  } catch {
    return 'must be a cron expression of five fields, such as "30 3 * * *"';
  }
};

/** Settings of backups. */
export const backupSettings = {
  MNEME_BACKUP_SCHEDULE: {
    description:
      'Schedule of backups: a cron expression in UTC, such as `30 3 * * *`; unset: no ' +
      'scheduled backups',
    check: cronExpression,
  },
  MNEME_BACKUP_DIR: {
    description:
      'Folder of scheduled backups and of backups before an upgrade; unset: `backups` in the ' +
      'data folder',
    check: checkAnyText,
  },
  MNEME_BACKUP_BUCKET: {
    description:
      'Bucket for scheduled backups instead of a folder, with the endpoint, region and ' +
      'credentials of MNEME_S3_*',
    check: checkAnyText,
  },
  MNEME_BACKUP_PREFIX: {
    description: 'Prefix of the names of backups in the bucket',
    defaultValue: 'backups/',
    check: checkAnyText,
  },
  MNEME_BACKUP_KEEP: {
    description: 'Number of scheduled backups to keep; older ones are removed',
    defaultValue: '7',
    check: checkInteger(1, 10_000),
  },
  MNEME_BACKUP_PASSPHRASE: {
    description:
      'Encrypts the secret key in backups (age); unset: backups do not contain the secret key',
    secret: true,
    check: (text: string) =>
      text.length >= passphraseCharactersMin
        ? null
        : `must have at least ${passphraseCharactersMin} characters`,
  },
  MNEME_BACKUP_BEFORE_UPGRADE: {
    description: '`off`: no backup before the server upgrades the database to a new version',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
} as const satisfies Record<string, Setting>;
