import os from 'node:os';
import type { SettingName } from './settings.ts';

export interface IndexConfig {
  /** Of the indexes in memory; an account that is larger alone is loaded in addition. */
  readonly bytesMax: number;
  /** Stores indexes as files. */
  readonly hasSegments: boolean;
  /** Maximum number of search threads. */
  readonly searchThreads: number;
}

/** One core is left to everything else. */
export const defaultSearchThreads = (cores: number): number => Math.min(4, Math.max(1, cores - 1));

export const readIndexConfig = (value: (name: SettingName) => string | null): IndexConfig => ({
  bytesMax: Number(value('MNEME_INDEX_MEMORY_MB')) * 2 ** 20,
  hasSegments: value('MNEME_INDEX_SEGMENTS') === 'on',
  searchThreads: Number(
    value('MNEME_SEARCH_THREADS') ?? defaultSearchThreads(os.availableParallelism()),
  ),
});
