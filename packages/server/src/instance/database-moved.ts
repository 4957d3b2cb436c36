import type { Db, Tx } from '../database/index.ts';
import { readInstanceSetting, setInstanceSetting } from './instance-settings.ts';

const movedToKey = 'moved_to';

/** The database was moved to another engine, so this copy has old data. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';

  constructor(to: string) {
    super(
      to === 'server'
        ? 'This database was moved to a PostgreSQL server: set MNEME_DATABASE_URL to its URL.'
        : 'This database was moved to the embedded database of its data folder: start the server ' +
            'without MNEME_DATABASE_URL.',
    );
  }
}

export const markDatabaseMoved = (
  tx: Tx,
  { to }: { to: 'server' | 'embedded' },
): Promise<unknown> => setInstanceSetting(tx, movedToKey, to);

/** The engine the database was moved to; null if it was not moved. */
export const readDatabaseMovedTo = (db: Db): Promise<string | null> =>
  readInstanceSetting(db, movedToKey);

/** Throws DatabaseMoved. */
export async function requireDatabaseNotMoved(db: Db): Promise<void> {
  const to = await readDatabaseMovedTo(db);
  if (to !== null) throw new DatabaseMoved(to);
}
