import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  accountRow,
  acrossAvailableAccounts,
  type Db,
  readPage,
  type Tx,
} from '../../../../database/index.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';
import { inSpaces } from '../../../ctx.ts';
import { visibleMemoriesSubquery } from '../../../memories/index.ts';

export interface ActivationRecord {
  readonly account_id: string;
  readonly id: string;
  readonly session_key: string;
  readonly api_key_id: string | null;
  readonly started_at: Date;
  readonly last_activity_at: Date;
  readonly closed_at: Date | null;
}

export interface AccessRecord {
  readonly memory_id: string;
  readonly ordinal: number;
  readonly access_count: number;
  readonly first_accessed_at: Date;
}

/** The open session of a key, locked until the transaction ends. */
export const lockOpenActivation = (
  tx: Tx,
  accountId: string,
  key: string,
): Promise<ActivationRecord | undefined> =>
  tx
    .selectFrom('activation_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('session_key', '=', key)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/** False if another process has just opened one with this key. */
export async function insertActivation(tx: Tx, record: ActivationRecord): Promise<boolean> {
  const row = await tx
    .insertInto('activation_sessions')
    .values(record)
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateLastActivity(
  tx: Tx,
  accountId: string,
  id: string,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('activation_sessions')
    .set({ last_activity_at: sql`greatest(last_activity_at, ${at}::timestamptz)` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export interface AccessDelta {
  readonly memoryId: string;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
}

/** Adds accesses in their order; known memories keep their ordinal. */
export async function addAccesses(
  tx: Tx,
  accountId: string,
  sessionId: string,
  accesses: readonly AccessDelta[],
): Promise<void> {
  const rows = accesses.map(({ memoryId, count, first, last }, i) => ({
    m: memoryId,
    i,
    c: count,
    f: first,
    l: last,
  }));
  await sql`
    insert into activation_accesses as access
      (account_id, session_id, memory_id, ordinal, access_count, first_accessed_at,
        last_accessed_at)
    select account.account_id, ${sessionId}::uuid, m, i + coalesce((
      select max(ordinal) + 1 from activation_accesses
      where account_id = ${accountId}::uuid and session_id = ${sessionId}::uuid), 0), c, f, l
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json)
      as row (m uuid, i integer, c integer, f timestamptz, l timestamptz)
    order by i
    on conflict (account_id, session_id, memory_id) do update set
      access_count = access.access_count + excluded.access_count,
      last_accessed_at = greatest(access.last_accessed_at, excluded.last_accessed_at)
  `.execute(tx);
}

/** The accounts that have sessions without activity since `before`. */
export async function listAccountsWithIdleActivations(db: Db, before: Date): Promise<string[]> {
  const rows = await acrossAvailableAccounts(db, 'a job closes idle activation sessions')
    .selectFrom('activation_sessions')
    .select('account_id')
    .distinct()
    .where('closed_at', 'is', null)
    .where('last_activity_at', '<=', before)
    .execute();
  return rows.map((row) => row.account_id);
}

/** Closes some sessions of an account without activity since `before`. */
export async function closeIdleActivations(
  tx: Tx,
  accountId: string,
  { before, now, limit }: { readonly before: Date; readonly now: Date; readonly limit: number },
): Promise<{ account_id: string; id: string }[]> {
  // Locked in order first: an update locks rows in any order, and two could deadlock.
  const { rows } = await sql<{ account_id: string; id: string }>`
    with idle as (
      select id from activation_sessions
      where account_id = ${accountId}::uuid and closed_at is null
        and last_activity_at <= ${before}::timestamptz
      order by session_key collate "C" limit ${limit}::int for update
    )
    update activation_sessions as session set closed_at = ${now}::timestamptz
    from idle where session.account_id = ${accountId}::uuid and session.id = idle.id
    returning session.account_id, session.id`.execute(tx);
  return rows;
}

export async function closeActivation(
  tx: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('activation_sessions')
    .set({ closed_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export interface ActivationFilter extends PageRequest {
  readonly closed?: boolean | undefined;
  readonly since?: Date | undefined;
  readonly sort: 'started_at' | 'last_activity_at';
  readonly order: 'asc' | 'desc';
}

export async function listActivationRows(
  db: Db,
  accountId: string,
  filter: ActivationFilter,
): Promise<{ rows: ActivationRecord[]; total: number }> {
  let query = db.selectFrom('activation_sessions').selectAll().where('account_id', '=', accountId);
  if (filter.closed !== undefined) {
    query = query.where('closed_at', filter.closed ? 'is not' : 'is', null);
  }
  if (filter.since !== undefined) query = query.where('started_at', '>=', filter.since);
  return readPage(query.orderBy(filter.sort, filter.order).orderBy('id', filter.order), filter);
}

export const findActivation = (
  db: Db,
  accountId: string,
  id: string,
): Promise<ActivationRecord | undefined> =>
  db
    .selectFrom('activation_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** All accesses of a session, also of deleted memories, in the order of first access. */
export const findAccesses = (
  db: Db,
  accountId: string,
  sessionId: string,
): Promise<AccessRecord[]> =>
  db
    .selectFrom('activation_accesses')
    .select(['memory_id', 'ordinal', 'access_count', 'first_accessed_at'])
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .orderBy('ordinal')
    .execute();

/** Limits queries to memories of the account in these spaces (`default`: no space; null: all). */
interface AccessVisibility {
  readonly accountId: string;
  readonly visible: readonly string[] | null;
  readonly owner?: OwnerFilter;
}

const visibleAccesses = (
  { accountId, visible, owner = {} }: AccessVisibility,
  sessionIds: readonly string[],
) => sql`
  activation_accesses as access
  join ${visibleMemoriesSubquery(accountId, inSpaces(visible))}
    as memory on memory.id = access.memory_id
  where access.account_id = ${accountId}::uuid and access.session_id = any(${sessionIds}::uuid[])
    ${sql.join(ownerConditions(owner), sql` `)}`;

const ownerConditions = (owner: OwnerFilter): RawBuilder<unknown>[] =>
  ownerNames.flatMap((name) =>
    owner[name] === undefined ? [] : [sql`and ${sql.ref(`memory.${name}`)} = ${owner[name]}`],
  );

/** Accesses of active and visible memories, in the order of first access. */
export async function findVisibleAccesses(
  db: Db,
  visibility: AccessVisibility,
  sessionId: string,
): Promise<AccessRecord[]> {
  const { rows } = await sql<AccessRecord>`
    select access.memory_id, access.ordinal, access.access_count, access.first_accessed_at
    from ${visibleAccesses(visibility, [sessionId])} order by access.ordinal`.execute(db);
  return rows;
}

/** Number of active and visible memories per session; sessions without any are absent. */
export async function countVisibleAccesses(
  db: Db,
  visibility: AccessVisibility,
  sessionIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ session_id: string; count: number }>`
    select access.session_id, count(*) as count
    from ${visibleAccesses(visibility, sessionIds)} group by access.session_id`.execute(db);
  return new Map(rows.map(({ session_id, count }) => [session_id, count]));
}

/** Deletes some sessions of an account; false if none were left. */
export async function deleteSomeActivations(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from activation_sessions where account_id = ${accountId}::uuid and id in (
      select id from activation_sessions where account_id = ${accountId}::uuid limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** True if the session exists and is not processed yet; locked until the transaction ends. */
export async function lockIfCoAccessUnprocessed(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('activation_sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('closed_at', 'is not', null)
    .where('co_access_processed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function markCoAccessProcessed(
  tx: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('activation_sessions')
    .set({ co_access_processed_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Counts one more session for each pair; returns pairs with at least `least` sessions. */
export async function incrementCoAccesses(
  tx: Tx,
  accountId: string,
  pairs: readonly { low: string; high: string }[],
  least: number,
): Promise<{ low: string; high: string }[]> {
  const rows = pairs
    .toSorted((a, b) => (a.low + a.high < b.low + b.high ? -1 : 1))
    .map(({ low, high }) => ({ l: low, h: high }));
  const { rows: counted } = await sql<{ low: string; high: string; sessions: number }>`
    insert into co_accesses as pair (account_id, low, high, sessions)
    select account.account_id, l, h, 1
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json) as row (l uuid, h uuid)
    on conflict (account_id, low, high) do update set sessions = pair.sessions + 1
    returning low, high, sessions
  `.execute(tx);
  return counted.filter(({ sessions }) => sessions >= least);
}
