import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { SpaceRecord } from '../model.ts';

export async function insertSpace(db: Db, space: SpaceRecord): Promise<boolean> {
  const row = await db
    .insertInto('spaces')
    .values({ ...space, metadata: JSON.stringify(space.metadata) })
    .onConflict((on) => on.columns(['account_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const spaceOf = (db: Db, accountId: string, id: string) =>
  db.selectFrom('spaces').selectAll().where('account_id', '=', accountId).where('id', '=', id);

export const findSpace = (
  db: Db,
  accountId: string,
  id: string,
): Promise<SpaceRecord | undefined> => spaceOf(db, accountId, id).executeTakeFirst();

/** The ids of those spaces that exist, by name. */
export async function findSpaceIdsByName(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('spaces')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Locks the space until the transaction ends. */
export const lockSpace = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<SpaceRecord | undefined> => spaceOf(tx, accountId, id).forUpdate().executeTakeFirst();

/** Days that new memories live, null for ever, by the id of the space. */
export async function findExistingSpaces(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('spaces')
    .select(['id', 'memory_lifetime_days'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.memory_lifetime_days]));
}

export async function listSpaceRows(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  page: { limit: number; offset: number },
): Promise<{ spaces: SpaceRecord[]; total: number }> {
  let query = db.selectFrom('spaces').selectAll().where('account_id', '=', accountId);
  if (visible !== null) query = query.where(sql<boolean>`id::text = any(${visible}::text[])`);
  const { rows, total } = await readPage(query.orderBy(sql`name collate "C"`).orderBy('id'), page);
  return { spaces: rows, total };
}

/** Visible spaces ordered by id, after the id `after`. */
export async function listSpacesAfter(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  { after, limit }: { after: string; limit: number },
): Promise<SpaceRecord[]> {
  let query = db.selectFrom('spaces').selectAll().where('account_id', '=', accountId);
  if (visible !== null) query = query.where(sql<boolean>`id::text = any(${visible}::text[])`);
  return query.where('id', '>', after).orderBy('id').limit(limit).execute();
}

export async function updateSpaceRow(db: Db, space: SpaceRecord): Promise<void> {
  await db
    .updateTable('spaces')
    .set({
      name: space.name,
      description: space.description,
      metadata: JSON.stringify(space.metadata),
      memory_lifetime_days: space.memory_lifetime_days,
      updated_at: space.updated_at,
    })
    .where('account_id', '=', space.account_id)
    .where('id', '=', space.id)
    .execute();
}

export async function removeSpaceRow(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('spaces').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export async function removeAllSpaces(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('spaces').where('account_id', '=', accountId).execute();
}

export async function countSpaces(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('spaces')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}
