import type { SettingName } from './settings.ts';

export interface IndexConfig {
  /** Of the indexes in memory; an account that is larger alone is loaded in addition. */
  readonly bytesMax: number;
  /** Stores indexes as files. */
  readonly hasSegments: boolean;
}

export const readIndexConfig = (value: (name: SettingName) => string | null): IndexConfig => ({
  bytesMax: Number(value('MNEME_INDEX_MEMORY_MB')) * 2 ** 20,
  hasSegments: value('MNEME_INDEX_SEGMENTS') === 'on',
});
