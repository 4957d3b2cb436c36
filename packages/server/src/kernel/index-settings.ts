import { checkInteger, checkOneOf, type Setting } from './setting.ts';

const origin = (text: string): string | null => {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isOrigin && new URL(text).href === `${new URL(text).origin}/`
    ? null
    : 'must be a URL of http: or https: with a host and a port alone, such as http://10.0.0.5:7077';
};

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
  MNEME_SEARCH_THREADS: {
    description:
      'Maximum number of threads that search, 1 to 64. Each account is searched by one of them; ' +
      'a thread starts when one of its accounts is used, and takes about 25 MB. Unset: one less ' +
      'than the cores, from 1 to 4',
    check: checkInteger(1, 64),
  },
  MNEME_PEER_URL: {
    description:
      'URL at which other processes of the same database reach this one, for example ' +
      'http://10.0.0.5:7077. Set it in all of them, and each account is searched by one ' +
      'process. Only with PostgreSQL; unset: each process searches for itself',
    check: origin,
  },
} as const satisfies Record<string, Setting>;
