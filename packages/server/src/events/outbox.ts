import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { sql } from 'kysely';
import { acrossAvailableAccounts, type Db, type Tx } from '../database/index.ts';

export interface StoredEvent {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly space_id: string | null;
  /** The second space of an event about two spaces (`default`: account level); otherwise null. */
  readonly second_space: string | null;
  /** Readers of this space (`default`: account level) do not see the event; null: hides nothing. */
  readonly hidden_from: string | null;
  readonly data: Record<string, unknown>;
  readonly previous_data: Record<string, unknown> | null;
  readonly changes: string[] | null;
  readonly created_at: Date;
}

export interface EventFilter {
  readonly after: number;
  /** The last position, if set. */
  readonly upTo?: number;
  readonly limit: number;
  readonly type?: string | undefined;
  readonly owner?: OwnerFilter | undefined;
  /** Only events about this memory. */
  readonly memoryId?: string | undefined;
  /** Types that the reader does not see. */
  readonly hiddenTypes?: readonly string[] | undefined;
  /** The visible spaces (`default`: account level); null: all. */
  readonly spaces: readonly string[] | null;
}

const columns = [
  'position',
  'id',
  'type',
  'space_id',
  'second_space',
  'hidden_from',
  'data',
  'previous_data',
  'changes',
  'created_at',
] as const;

/** What an event is about, as the index `events_memory` has it. */
const subjectId = sql<string>`coalesce(data ->> 'memory_id', data ->> 'id')`;

/**
 * Events of an account after a position, oldest first. No event can appear later at or before a
 * position already read: the journal allocates positions under the account's lock (journal.ts).
 */
export async function readEvents(
  db: Db,
  accountId: string,
  filter: EventFilter,
): Promise<StoredEvent[]> {
  let query = db
    .selectFrom('events')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('position', '>', filter.after);
  if (filter.upTo !== undefined) query = query.where('position', '<=', filter.upTo);
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.memoryId !== undefined) {
    query = query.where(sql<boolean>`${subjectId} = ${filter.memoryId}::text`);
  }
  for (const name of ownerNames) {
    const id = filter.owner?.[name];
    if (id !== undefined) query = query.where(name, '=', id);
  }
  if (filter.hiddenTypes !== undefined) {
    query = query.where(sql<boolean>`type <> all(${filter.hiddenTypes}::text[])`);
  }
  if (filter.spaces === null) query = query.where('hidden_from', 'is', null);
  else {
    const { spaces } = filter;
    query = query
      .where(sql<boolean>`(hidden_from is null or not hidden_from = any(${spaces}::text[]))`)
      .where(sql<boolean>`coalesce(space_id::text, 'default') = any(${spaces}::text[])`)
      .where(sql<boolean>`(second_space is null or second_space = any(${spaces}::text[]))`);
  }
  return query.orderBy('position').limit(filter.limit).execute();
}

/**
 * Whether a reader of these spaces (`default`: account level; null: all) sees the event. An event
 * about two spaces requires both; an event with `hidden_from` is for readers without that space.
 */
export function isVisibleTo(
  { space_id, second_space, hidden_from }: Pick<StoredEvent, Visibility>,
  spaces: readonly string[] | null,
): boolean {
  if (spaces === null) return hidden_from === null;
  return (
    spaces.includes(space_id ?? 'default') &&
    (second_space === null || spaces.includes(second_space)) &&
    (hidden_from === null || !spaces.includes(hidden_from))
  );
}

type Visibility = 'space_id' | 'second_space' | 'hidden_from';

export interface EventBatchQuery {
  readonly after: number;
  /** The maximum number of events. */
  readonly limit: number;
  readonly types: readonly string[];
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Bytes after which a batch ends: each event may contain a megabyte. */
const batchBytesMax = 4 * 1_048_576;
const dataBytes = sql<number>`
  octet_length(data::text) + coalesce(octet_length(previous_data::text), 0)`;

/**
 * The next events of some types, and the position up to which events were read, including events of
 * other types. Call it in the transaction that stores this position.
 */
export async function readEventBatch(
  db: Db,
  accountId: string,
  { after, limit, types, since, until }: EventBatchQuery,
): Promise<{ events: StoredEvent[]; upTo: number; more: boolean }> {
  // Read the account's position first: events invisible to this statement have later positions.
  const account = await db
    .selectFrom('account_positions')
    .select('position')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const newest = account?.position ?? after;
  let query = db
    .selectFrom('events')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('position', '>', after)
    .where('position', '<=', newest)
    .where(sql<boolean>`type = any(${types}::text[])`);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<=', until);
  const sized = query.select(dataBytes.as('bytes')).orderBy('position').limit(limit).as('sized');
  const bytesBefore = sql<number>`sum(bytes) over (order by position) - bytes`.as('before');
  const fetched = sql<number>`count(*) over ()`.as('fetched');
  const rows = await db
    .selectFrom(
      db
        .selectFrom(sized)
        .select([...columns, bytesBefore, fetched])
        .as('counted'),
    )
    .select([...columns, 'fetched'])
    .where('before', '<', batchBytesMax)
    .orderBy('position')
    .execute();
  const events: StoredEvent[] = rows.map(({ fetched: _, ...event }) => event);
  const more = Number(rows[0]?.fetched ?? 0) === limit || events.length < (rows[0]?.fetched ?? 0);
  const upTo = (more ? events.at(-1)?.position : newest) ?? newest;
  return { events, upTo, more };
}

/** The time of the oldest event, which need not be the first, because clocks differ. */
export const oldestEventTime = (events: readonly StoredEvent[]): Date | undefined =>
  events.map(({ created_at: at }) => at).toSorted((a, b) => a.getTime() - b.getTime())[0];

/** The account's position: all events up to it are committed, and no later event precedes it. */
export async function readAccountPosition(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('account_positions')
    .select('position')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** Deletes events created before `before`; returns how many. */
export async function pruneEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where (account_id, position) in (
      select account_id, position from events where created_at < ${before}::timestamptz
      order by created_at limit ${limit}::int
    )`.execute(acrossAvailableAccounts(db, 'old events expire'));
  return Number(numAffectedRows ?? 0n);
}

/** An event without its content. */
export type RedactedEvent = Omit<StoredEvent, 'position' | 'second_space' | 'hidden_from'>;

/** Fields with the ids of the resources of an event. */
const idFields = ['id', 'memory_id', 'source_id', 'target_id', 'cluster_id', 'session_id'];

/** A search that found something erased, with its text or redacted before. */
const isSearchOfErased = sql<boolean>`case when type = 'memory.accessed'
  and coalesce(data ->> 'query', data ->> 'topic', data ->> 'erased') is not null
  then exists (
    select from json_array_elements_text(data -> 'ids') as found (id)
    where found.id in (select id from erased)
  ) else false end`;

/**
 * Removes the content of the events of a page that are about erased ids: `data` retains its ids and
 * gets `erased: true`. So do searches that found one of them, whose text may repeat it. Deletion
 * events have no content and do not change. Returns the affected events, including those redacted
 * before.
 */
export async function redactEvents(
  tx: Tx,
  accountId: string,
  erasedIds: readonly string[],
  { after, upTo, since }: { readonly after: number; readonly upTo: number; readonly since: Date },
): Promise<RedactedEvent[]> {
  const isErased = idFields.map((field) => sql`data ->> ${field} in (select id from erased)`);
  const { rows } = await sql<RedactedEvent>`
    with erased as (select unnest(${erasedIds}::text[]) as id)
    update events set previous_data = null, data = (
      select json_object_agg(key, value) from (
        select key, value from json_each(data)
        where key = any(${[...idFields, 'ids']}::text[]) and json_typeof(value) <> 'null'
        union all select 'erased', 'true'::json
      ) as kept
    )
    where account_id = ${accountId}::uuid
      and position > ${after}::bigint and position <= ${upTo}::bigint
      and created_at >= ${since}::timestamptz
      and type not like '%.deleted'
      and (${sql.join([...isErased, isSearchOfErased], sql` or `)})
    returning id, type, space_id, data, previous_data, changes, created_at`.execute(tx);
  return rows;
}

/** The position of the newest stored event; 0 without events. */
export async function lastEventPosition(db: Db, accountId: string): Promise<number> {
  const { last } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return last ?? 0;
}
