import { checkInteger, type Setting } from './setting.ts';

/** Settings of the disk of the data folder. */
export const diskSettings = {
  MNEME_DISK_FREE_MIN_MB: {
    description:
      'Minimum free disk space of the embedded database in MB; below it, the database is ' +
      'read-only',
    defaultValue: '256',
    check: checkInteger(0, 1_000_000),
  },
} as const satisfies Record<string, Setting>;
