import { fileURLToPath } from 'node:url';
import {
  type Engine,
  type EngineSettings,
  findDatabaseTemplate,
  openEngine,
} from '../database/index.ts';
import type { Config } from '../kernel/config.ts';
import { hasEmbeddedDatabase, requireMatchingEngine } from '../kernel/data-folder-owner.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';

export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));
/** What `npm ci` prepares; without it everything works, but the first start takes longer. */
export const templatesFolder = fileURLToPath(
  new URL('../../../../node_modules/.cache/mneme/', import.meta.url),
);

export interface OpenDatabaseOptions {
  readonly onEngineFailure?: (error: Error) => void;
  /** Called when the database begins to open, which the embedded one does in a thread. */
  readonly onOpening?: () => void;
  /** The folder of migrations, instead of that of this version. */
  readonly migrations?: string;
}

/** Opens the database. Throws DataFolderForeign before it creates one next to other data. */
export async function openConfiguredEngine(
  config: Config,
  log: Log,
  ids: Ids,
  { onEngineFailure, onOpening, migrations = migrationsFolder }: OpenDatabaseOptions = {},
): Promise<Engine> {
  await requireMatchingEngine(config);
  const isNew = config.databaseUrl === null && !hasEmbeddedDatabase(config.dataDir);
  const template = isNew ? await findDatabaseTemplate(templatesFolder, migrations) : null;
  const opening = openEngine(engineSettings(config, template), {
    log,
    random: ids.fraction,
    isTraced: config.telemetry?.traces ?? false,
    ...(onEngineFailure ? { onFailure: onEngineFailure } : {}),
  });
  onOpening?.();
  return opening;
}

const engineSettings = (config: Config, template: string | null): EngineSettings =>
  config.databaseUrl === null
    ? {
        kind: 'embedded',
        dataDir: config.dataDir,
        template,
        freeBytesMin: config.diskFreeMinMb * 2 ** 20,
      }
    : {
        kind: 'server',
        url: config.databaseUrl,
        poolMax: config.databasePoolMax,
        dataDir: config.dataDir,
      };
