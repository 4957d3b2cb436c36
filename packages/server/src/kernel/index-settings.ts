import { checkInteger, checkOneOf, type Setting } from './setting.ts';

/** Settings of the search index. */
export const indexSettings = {
  MNEME_INDEX_MEMORY_MB: {
    description:
      'Memory of the search indexes of a process in MB. Above it, the least recently searched ' +
      'accounts leave memory. Accounts that are larger alone use memory in addition, one at a time',
    defaultValue: '1024',
    check: checkInteger(1, 1_000_000),
  },
  MNEME_INDEX_SEGMENTS: {
    description:
      'Whether search indexes of accounts with many memories are also stored as files in the ' +
      'data folder, so that they are loaded faster after a start',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
} as const satisfies Record<string, Setting>;
