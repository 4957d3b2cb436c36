import type { Db } from '../engine/index.ts';

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
