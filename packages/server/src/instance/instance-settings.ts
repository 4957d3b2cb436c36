import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** The setting with the unique id of the database; backups contain it. */
export const databaseIdKey = 'id';

/** The value of a setting; the first caller stores its value. */
export async function getOrCreateInstanceSetting(
  db: Db,
  name: string,
  value: string,
): Promise<string> {
  const select = db.selectFrom('installation').select('value').where('name', '=', name);
  // A distributed database writes it only while all its nodes respond.
  const known = await select.executeTakeFirst();
  if (known) return known.value;
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((on) => on.doNothing())
    .execute();
  return (await select.executeTakeFirstOrThrow()).value;
}

/** False for the earliest schemas until their upgrade. */
export async function hasInstanceSettingsTable(db: Db): Promise<boolean> {
  const table = sql<{ found: boolean }>`select to_regclass('installation') is not null as found`;
  return (await table.execute(db)).rows[0]?.found ?? false;
}

/** The id of the database; stores `newId` if it has none. The earliest schemas cannot store it. */
export const getOrCreateDatabaseId = async (db: Db, newId: string): Promise<string> =>
  (await hasInstanceSettingsTable(db))
    ? getOrCreateInstanceSetting(db, databaseIdKey, newId)
    : newId;

/** The value of a setting; null if it is not set, and for the earliest schemas. */
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

/** Inserts or updates a setting. */
export const setInstanceSetting = (db: Db, name: string, value: string): Promise<unknown> =>
  db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute();

export const deleteInstanceSetting = (db: Db, name: string): Promise<unknown> =>
  db.deleteFrom('installation').where('name', '=', name).execute();

/** All settings whose names begin with a prefix. */
export const listInstanceSettings = (
  db: Db,
  prefix: string,
): Promise<{ name: string; value: string }[]> =>
  db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'like', `${prefix.replaceAll('_', '\\_')}%`)
    .execute();
