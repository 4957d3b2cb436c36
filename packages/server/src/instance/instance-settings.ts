import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** The name of the value that tells one database from every other; backups keep it. */
export const databaseIdKey = 'id';

/** Of the whole installation: the value under a name, kept from whoever came first. */
export async function getOrCreateInstanceSetting(
  db: Db,
  name: string,
  value: string,
): Promise<string> {
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

/** False for the earliest databases until they are upgraded. */
export async function hasInstanceSettingsTable(db: Db): Promise<boolean> {
  const table = sql<{ found: boolean }>`select to_regclass('installation') is not null as found`;
  return (await table.execute(db)).rows[0]?.found ?? false;
}

/** The id of the database; `made` where it has none yet. The earliest cannot keep one. */
export const getOrCreateDatabaseId = async (db: Db, made: string): Promise<string> =>
  (await hasInstanceSettingsTable(db)) ? getOrCreateInstanceSetting(db, databaseIdKey, made) : made;

/** Null where nothing is stored under the name; the earliest databases store nothing. */
export async function readInstanceSetting(db: Db, name: string): Promise<string | null> {
  if (!(await hasInstanceSettingsTable(db))) return null;
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

export const updateInstanceSetting = (db: Db, name: string, value: string): Promise<unknown> =>
  db.updateTable('installation').set({ value }).where('name', '=', name).execute();

/** Sets the value under a name. */
export const setInstanceSetting = (db: Db, name: string, value: string): Promise<unknown> =>
  db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute();

export const deleteInstanceSetting = (db: Db, name: string): Promise<unknown> =>
  db.deleteFrom('installation').where('name', '=', name).execute();

/** All values whose names begin with a prefix. */
export const listInstanceSettings = (
  db: Db,
  prefix: string,
): Promise<{ name: string; value: string }[]> =>
  db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'like', `${prefix.replaceAll('_', '\\_')}%`)
    .execute();
