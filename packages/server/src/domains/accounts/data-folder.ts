import {
  databaseIdKey,
  getOrCreateInstanceSetting,
  readInstanceSetting,
} from '../../instance/instance-settings.ts';
import {
  claimFolder,
  type FolderOwner,
  requireMatchingDatabase,
} from '../../kernel/folder-owner.ts';
import type { App } from '../ctx.ts';
import { parseKeyId } from './model.ts';
import { findOperatorKey } from './store/keys.ts';

type Parts = Pick<App, 'config' | 'engine' | 'ids'>;

/** Before the database is migrated. Throws DataFolderForeign where the folder is another's. */
export const assertOwnDataFolder = async ({ config, engine }: Parts): Promise<void> =>
  requireMatchingDatabase(config, await readInstanceSetting(engine.db, databaseIdKey));

/**
 * After the migrations: gives the database its id, and records in the data folder that it belongs
 * to it, unless it belongs to another. Throws DataFolderForeign.
 */
export async function claimDataFolder({ config, engine, ids }: Parts): Promise<void> {
  const databaseId = await getOrCreateInstanceSetting(engine.db, databaseIdKey, ids.uuid());
  const own: FolderOwner = { engine: engine.kind, databaseId };
  await claimFolder(config, own, async (key) => {
    const operator = await findOperatorKey(engine.db);
    if (operator === undefined) return 'no';
    return parseKeyId(key) === operator.key_id ? 'yes' : 'unknown';
  });
}
