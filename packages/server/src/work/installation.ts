import { sql } from 'kysely';
import type { Db } from '../engine/index.ts';

/** The name of the value that tells one database from every other; backups keep it. */
export const databaseIdName = 'id';

/** Of the whole installation: the value under a name, kept from whoever came first. */
export async function keepFirst(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((on) => on.doNothing())
    .execute();
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.value;
}

/** Null where nothing is stored under the name; before the first migration nothing is. */
export async function readInstallation(db: Db, name: string): Promise<string | null> {
  const table = sql<{ found: boolean }>`select to_regclass('installation') is not null as found`;
  if (!(await table.execute(db)).rows[0]?.found) return null;
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

export const replaceInstallation = (db: Db, name: string, value: string): Promise<unknown> =>
  db.updateTable('installation').set({ value }).where('name', '=', name).execute();
