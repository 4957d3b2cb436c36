import { CompiledQuery, sql } from 'kysely';
import { type Db, isLeaseExpired } from '../../../database/index.ts';

/**
 * Adapts the database to the rate limiting library, which expects a pool with `query`. The library
 * sends its own statements and defines the columns of the table.
 */
export const createRateLimiterDatabaseAdapter = (db: Db) => ({
  async query({ text, values = [] }: { text: string; values?: readonly unknown[] }) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
    return { rows, rowCount: rows.length };
  },
});

/** The library uses its own clock, so its windows expire by the clock of the database. */
export async function pruneRateLimitWindows(db: Db, slotsBefore: Date): Promise<void> {
  await sql`
    delete from rate_limit_windows
    where expire < 1000 * extract(epoch from now() - interval '1 hour')
  `.execute(db);
  await db.deleteFrom('concurrency_slots').where('until', '<', slotsBefore).execute();
}

interface SlotHolder {
  readonly keyId: string;
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
}

/** `slot`: the leased slot, or null. `seen`: whether a slot was free at the time of the query. */
export async function acquireConcurrencySlot(
  db: Db,
  { keyId, holder, now, until }: SlotHolder,
  max: number,
): Promise<{ slot: number | null; seen: boolean }> {
  const { rows } = await sql<{ slot: number | null; seen: boolean }>`
    with free as (
      select number from generate_series(1, ${max}::int) as number
      where not exists (
        select from concurrency_slots as held
        where key_id = ${keyId}::uuid and slot = number and not ${isLeaseExpired('held.until', now)}
      )
      order by random() limit 1
    ), taken as (
      insert into concurrency_slots (key_id, slot, holder, until)
      select ${keyId}::uuid, number, ${holder}::uuid, ${until}::timestamptz from free
      on conflict (key_id, slot) do update set holder = excluded.holder, until = excluded.until
      where ${isLeaseExpired('concurrency_slots.until', now)}
      returning slot
    )
    select (select slot from taken) as slot, exists (select from free) as seen
  `.execute(db);
  return rows[0] ?? { slot: null, seen: false };
}

export async function releaseConcurrencySlot(
  db: Db,
  keyId: string,
  slot: number,
  holder: string,
): Promise<void> {
  await db
    .deleteFrom('concurrency_slots')
    .where('key_id', '=', keyId)
    .where('slot', '=', slot)
    .where('holder', '=', holder)
    .execute();
}

export interface HeldConcurrencySlot {
  readonly keyId: string;
  readonly slot: number;
}

export async function renewConcurrencySlots(
  db: Db,
  holder: string,
  held: readonly HeldConcurrencySlot[],
  until: Date,
): Promise<void> {
  await sql`
    update concurrency_slots as taken set until = ${until}::timestamptz
    from json_to_recordset(${JSON.stringify(held)}::json) as held ("keyId" uuid, slot int)
    where taken.key_id = held."keyId" and taken.slot = held.slot and taken.holder = ${holder}::uuid
  `.execute(db);
}
