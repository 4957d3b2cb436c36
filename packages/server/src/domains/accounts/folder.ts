import { claimFolder, type FolderOwner, refuseOtherDatabase } from '../../kernel/folder-owner.ts';
import { databaseIdName, keepFirst, readInstallation } from '../../work/installation.ts';
import type { App } from '../ctx.ts';
import { readKeyId } from './model.ts';
import { findOperatorKey } from './store/keys.ts';

type Parts = Pick<App, 'config' | 'engine' | 'ids'>;

/** Before the database is migrated. Throws DataFolderForeign where the folder is another's. */
export const refuseFolder = async ({ config, engine }: Parts): Promise<void> =>
  refuseOtherDatabase(config, await readInstallation(engine.db, databaseIdName));

/**
 * After the migrations: gives the database its id, and records in the data folder that it belongs
 * to it, unless it belongs to another. Throws DataFolderForeign.
 */
export async function ownFolder({ config, engine, ids }: Parts): Promise<void> {
  const databaseId = await keepFirst(engine.db, databaseIdName, ids.uuid());
  const own: FolderOwner = { engine: engine.kind, databaseId };
  await claimFolder(config, own, async (key) => {
    const operator = await findOperatorKey(engine.db);
    if (operator === undefined) return 'no';
    return readKeyId(key) === operator.key_id ? 'yes' : 'unknown';
  });
}
