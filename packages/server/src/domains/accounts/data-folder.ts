import {
  databaseIdKey,
  getOrCreateInstanceSetting,
  readInstanceSetting,
} from '../../instance/instance-settings.ts';
import { parseKeyId } from '../../kernel/api-key-format.ts';
import {
  type DataFolderOwner,
  recordDataFolderOwner,
  requireMatchingDatabase,
} from '../../kernel/data-folder-owner.ts';
import type { App } from '../ctx.ts';
import { findOperatorKey } from './store/keys.ts';

type Deps = Pick<App, 'config' | 'engine' | 'ids'>;

/** Runs before migrations. Throws DataFolderForeign if the folder belongs to another database. */
export const assertOwnDataFolder = async ({ config, engine }: Deps): Promise<void> =>
  requireMatchingDatabase(config, await readInstanceSetting(engine.db, databaseIdKey));

/**
 * Runs after migrations: assigns the database its id, and records in the data folder that it
 * belongs to this database, unless it belongs to another. Throws DataFolderForeign.
 */
export async function claimDataFolder({ config, engine, ids }: Deps): Promise<void> {
  const databaseId = await getOrCreateInstanceSetting(engine.db, databaseIdKey, ids.uuid());
  const own: DataFolderOwner = { engine: engine.kind, databaseId };
  await recordDataFolderOwner(config, own, async (key) => {
    const operator = await findOperatorKey(engine.db);
    if (operator === undefined) return 'no';
    return parseKeyId(key) === operator.key_id ? 'yes' : 'unknown';
  });
}
