import { checkInteger, checkOneOf, type Setting } from './setting.ts';

/** Settings of the disk of the data folder. */
export const diskSettings = {
  MNEME_DISK_FREE_MIN_MB: {
    description:
      'Minimum free disk space of the embedded database in MB; below it, the database is ' +
      'read-only',
    defaultValue: '256',
    check: checkInteger(0, 1_000_000),
  },
  MNEME_INDEX_SEGMENTS: {
    description:
      'Whether search indexes of accounts with many memories are also stored as files in the ' +
      'data folder, so that they are loaded faster after a start',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
} as const satisfies Record<string, Setting>;
