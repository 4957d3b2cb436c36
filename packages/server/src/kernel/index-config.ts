import os from 'node:os';
import type { SettingName } from './settings.ts';

export interface IndexConfig {
  /** Of the indexes in memory; an account that is larger alone is loaded in addition. */
  readonly bytesMax: number;
  /** Stores indexes as files. */
  readonly hasSegments: boolean;
  /** Maximum number of search threads. */
  readonly searchThreads: number;
  /** Where other processes of the database reach this one; null: searches are not forwarded. */
  readonly peerUrl: string | null;
}

/** One core is left to everything else. */
export const defaultSearchThreads = (cores: number): number => Math.min(4, Math.max(1, cores - 1));

type ReadSetting = (name: SettingName) => string | null;

export const readIndexConfig = (value: ReadSetting, issues: string[]): IndexConfig => ({
  bytesMax: Number(value('MNEME_INDEX_MEMORY_MB')) * 2 ** 20,
  hasSegments: value('MNEME_INDEX_SEGMENTS') === 'on',
  searchThreads: Number(
    value('MNEME_SEARCH_THREADS') ?? defaultSearchThreads(os.availableParallelism()),
  ),
  peerUrl: readPeerUrl(value, issues),
});

function readPeerUrl(value: ReadSetting, issues: string[]): string | null {
  const url = value('MNEME_PEER_URL');
  if (url !== null && value('MNEME_DATABASE_URL') === null) {
    issues.push(
      'MNEME_PEER_URL requires MNEME_DATABASE_URL: an embedded database belongs to one process',
    );
  }
  return url?.replace(/\/$/, '') ?? null;
}
