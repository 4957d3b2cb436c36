import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';

export interface PresetRecord {
  readonly account_id: string;
  readonly name: string;
  readonly result_limit: number;
  readonly threshold: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const findPreset = (
  db: Db,
  accountId: string,
  name: string,
): Promise<PresetRecord | undefined> =>
  db
    .selectFrom('search_presets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();

/** All presets of an account, by name. */
export const findPresets = (db: Db, accountId: string): Promise<PresetRecord[]> =>
  db
    .selectFrom('search_presets')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy(sql`name collate "C"`)
    .execute();

/** Creates the preset or replaces its settings; returns which of both it did. */
export async function savePreset(
  tx: Tx,
  preset: PresetRecord,
): Promise<{ record: PresetRecord; isNew: boolean }> {
  const { isNew, ...record } = await tx
    .insertInto('search_presets')
    .values(preset)
    .onConflict((on) =>
      on.columns(['account_id', 'name']).doUpdateSet({
        result_limit: preset.result_limit,
        threshold: preset.threshold,
        updated_at: preset.updated_at,
      }),
    )
    .returningAll()
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return { record, isNew };
}

export async function countPresets(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('search_presets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** False if it did not exist. */
export async function deletePreset(db: Db, accountId: string, name: string): Promise<boolean> {
  const row = await db
    .deleteFrom('search_presets')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePresets(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('search_presets').where('account_id', '=', accountId).execute();
}
