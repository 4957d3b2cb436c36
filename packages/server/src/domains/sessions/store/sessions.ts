import { type SelectQueryBuilder, sql } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  readPage,
  type Tables,
  type Tx,
} from '../../../database/index.ts';
import type { CliSessionRecord } from '../model.ts';

const columns = [
  'account_id',
  'id',
  'created_by',
  'name',
  'type',
  'status',
  'description',
  'tags',
  'space_id',
  'origin_type',
  'retention_policy',
  'retention_days',
  'is_private',
  'summary',
  'message_count',
  'memory_count',
  'next_ordinal',
  'metadata',
  'created_at',
  'updated_at',
  'last_active_at',
  'paused_at',
  'completed_at',
  'archived_at',
] as const;

const selectUnerased = (
  db: Db,
  accountId: string,
): SelectQueryBuilder<Tables, 'cli_sessions', object> =>
  db.selectFrom('cli_sessions').where('account_id', '=', accountId).where('erased_at', 'is', null);

export async function insertSession(tx: Tx, record: CliSessionRecord): Promise<void> {
  const metadata = JSON.stringify(record.metadata);
  await tx
    .insertInto('cli_sessions')
    .values({ ...record, metadata })
    .execute();
}

export const findSession = (
  db: Db,
  accountId: string,
  id: string,
): Promise<CliSessionRecord | undefined> =>
  selectUnerased(db, accountId).select(columns).where('id', '=', id).executeTakeFirst();

/** Locked until the transaction ends, in the order of ids to prevent deadlocks. */
export const lockSessions = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<CliSessionRecord[]> =>
  selectUnerased(tx, accountId)
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Writes fields that requests and transitions change; counters are updated separately. */
export async function saveSession(tx: Tx, record: CliSessionRecord): Promise<void> {
  await tx
    .updateTable('cli_sessions')
    .set({
      name: record.name,
      status: record.status,
      description: record.description,
      tags: record.tags,
      retention_policy: record.retention_policy,
      retention_days: record.retention_days,
      is_private: record.is_private,
      summary: record.summary,
      metadata: JSON.stringify(record.metadata),
      updated_at: record.updated_at,
      last_active_at: record.last_active_at,
      paused_at: record.paused_at,
      completed_at: record.completed_at,
      archived_at: record.archived_at,
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}

/** A version of the session elsewhere has had so many messages. */
export async function raiseMessageCount(
  tx: Tx,
  { account_id, id, message_count }: CliSessionRecord,
): Promise<void> {
  await tx
    .updateTable('cli_sessions')
    .set({ message_count })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('message_count', '<', message_count)
    .execute();
}

/** The effect of changed memories on the counters of one session. */
export interface SessionCounterDelta {
  readonly accountId: string;
  readonly id: string;
  readonly memories: number;
  readonly messages: number;
  /** The highest assigned ordinal, 0 for none. */
  readonly lastOrdinal: number;
  /** Whether a memory has joined it now. */
  readonly isActivity: boolean;
}

/** Added memories update the last activity; removed memories do not. */
export async function addToSessionCounters(
  tx: Tx,
  accountId: string,
  counts: readonly Omit<SessionCounterDelta, 'accountId'>[],
  now: Date,
): Promise<void> {
  const rows = counts.map(({ id, memories, messages, lastOrdinal, isActivity }) => ({
    i: id,
    m: memories,
    c: messages,
    o: lastOrdinal,
    t: isActivity,
  }));
  // The whole key as parameters: otherwise a plan for any account would scan all its sessions.
  const ids = counts.map(({ id }) => id);
  await sql`
    update cli_sessions as session set
      memory_count = session.memory_count + m,
      message_count = session.message_count + c,
      next_ordinal = greatest(session.next_ordinal, o + 1),
      last_active_at = case when t then ${now}::timestamptz else session.last_active_at end
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (i uuid, m integer, c integer, o integer, t boolean)
    where session.account_id = ${accountId}::uuid and session.id = any(${ids}::uuid[])
      and session.id = i
  `.execute(tx);
}

export interface SessionFilter {
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  /** Undefined: all visible spaces. Null: account level. */
  readonly spaceId?: string | null | undefined;
  readonly originType?: string | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly includeArchived?: boolean;
  readonly visible: SessionVisibility;
}

/** The sessions a key may see: in its spaces, and its own private ones. */
export interface SessionVisibility {
  /** `default`: no space. Null: all. */
  readonly spaces: readonly string[] | null;
  /** Null: every private session. */
  readonly creator: string | null;
}

function filtered(db: Db, accountId: string, filter: SessionFilter) {
  const { spaces, creator } = filter.visible;
  let query = selectUnerased(db, accountId);
  if (spaces !== null) {
    query = query.where(sql<boolean>`coalesce(space_id::text, 'default') = any(${spaces}::text[])`);
  }
  if (creator !== null) {
    query = query.where((or) =>
      or.or([or('is_private', '=', false), or('created_by', '=', creator)]),
    );
  }
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  else if (!filter.includeArchived) query = query.where('status', '<>', 'archived');
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.spaceId === null) query = query.where('space_id', 'is', null);
  else if (filter.spaceId !== undefined) query = query.where('space_id', '=', filter.spaceId);
  if (filter.originType !== undefined) query = query.where('origin_type', '=', filter.originType);
  if (filter.tagsAny) query = query.where(sql<boolean>`tags && ${filter.tagsAny}::text[]`);
  if (filter.search !== undefined) {
    const pattern = `%${filter.search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<boolean>`(name ilike ${pattern} or coalesce(description, '') ilike ${pattern})`,
    );
  }
  return query;
}

export interface SessionPageQuery {
  readonly sort: 'created_at' | 'updated_at' | 'last_active_at' | 'name';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

export const listSessionRows = (
  db: Db,
  accountId: string,
  filter: SessionFilter,
  page: SessionPageQuery,
): Promise<{ rows: CliSessionRecord[]; total: number }> =>
  readPage(
    filtered(db, accountId, filter)
      .select(columns)
      .orderBy(page.sort === 'name' ? sql`name collate "C"` : page.sort, page.order)
      .orderBy('id', page.order),
    page,
  );

export const countSessions = (
  db: Db,
  accountId: string,
  visible: SessionVisibility,
): Promise<{ status: string; type: string; count: number }[]> =>
  filtered(db, accountId, { visible, includeArchived: true })
    .select(['status', 'type', sql<number>`count(*)`.as('count')])
    .groupBy(['status', 'type'])
    .execute();

export async function markSessionErased(
  tx: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('cli_sessions')
    .set({ erased_at: now, space_id: null })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function deleteSessionRow(db: Db, accountId: string, id: string): Promise<void> {
  await db
    .deleteFrom('cli_sessions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('erased_at', 'is not', null)
    .execute();
}

/** Deletes some sessions of an account; false if none were left. */
export async function deleteSomeSessions(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from cli_sessions where account_id = ${accountId}::uuid and id in (
      select id from cli_sessions where account_id = ${accountId}::uuid limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}

export async function countSessionsInSpace(
  db: Db,
  accountId: string,
  spaceId: string,
): Promise<number> {
  const { count } = await selectUnerased(db, accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow();
  return count;
}

export interface ExpiredSession {
  readonly account_id: string;
  readonly id: string;
}

const nil = '00000000-0000-0000-0000-000000000000';

/** Sessions whose retention has ended, of any account; checked again when locked. */
export async function findExpiredSessions(
  db: Db,
  now: Date,
  after: ExpiredSession | null,
  limit: number,
): Promise<ExpiredSession[]> {
  const { account_id: account = nil, id = nil } = after ?? {};
  const { rows } = await sql<ExpiredSession>`
    select account_id, id from cli_sessions
    where erased_at is null and (account_id, id) > (${account}::uuid, ${id}::uuid) and (
      (retention_policy = 'temporary'
        and last_active_at <= ${now}::timestamptz - interval '7 days')
      or (retention_policy = 'auto_delete'
        and last_active_at <= ${now}::timestamptz - make_interval(days => retention_days))
      or (retention_policy = 'on_completion'
        and completed_at <= ${now}::timestamptz - interval '24 hours')
    )
    order by account_id, id limit ${limit}::int
  `.execute(acrossAvailableAccounts(db, 'a job erases sessions whose retention has ended'));
  return rows;
}
