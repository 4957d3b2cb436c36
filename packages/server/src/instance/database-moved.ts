import type { Db, Tx } from '../database/index.ts';
import { readInstanceSetting, setInstanceSetting } from './instance-settings.ts';

const movedToKey = 'moved_to';

/** The database was moved to another engine: a start on it would go on with old data. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';

  constructor(to: string) {
    super(
      to === 'server'
        ? 'This database was moved to a PostgreSQL server: set MNEME_DATABASE_URL to that one.'
        : 'This database was moved to the embedded database of its data folder: start without ' +
            'MNEME_DATABASE_URL.',
    );
  }
}

export const markMoved = (tx: Tx, { to }: { to: 'server' | 'embedded' }): Promise<unknown> =>
  setInstanceSetting(tx, movedToKey, to);

/** The kind of database it was moved to; null where it was not moved. */
export const readMovedTo = (db: Db): Promise<string | null> => readInstanceSetting(db, movedToKey);

/** Throws DatabaseMoved. */
export async function requireNotMoved(db: Db): Promise<void> {
  const to = await readMovedTo(db);
  if (to !== null) throw new DatabaseMoved(to);
}
