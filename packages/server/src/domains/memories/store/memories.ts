import type { MemorySort } from '@mneme/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Tables, Tx } from '../../../database/index.ts';
import { batchBySize } from '../../../kernel/batches.ts';
import { isOutdatedCondition } from '../../search-index/index.ts';
import type { MemoryRecord } from '../model.ts';

export const memoryColumns = [
  'account_id',
  'id',
  'space_id',
  'session_id',
  'session_ordinal',
  'content',
  'content_type',
  'content_hash',
  'tags',
  'metadata',
  'priority',
  'salience',
  'salience_at',
  'is_pinned',
  'protection_level',
  'quality_score',
  'revision',
  'occurred_at',
  'verified_at',
  'deleted_at',
  'created_at',
  'updated_at',
] as const;

/** Prebuilt SQL for hot statements: building it takes longer than the rest. */
const columnList = sql.raw(memoryColumns.join(', '));

/** The account's memories without those that wait for their erasure. */
export const selectUnerasedMemories = (
  db: Db,
  accountId: string,
): SelectQueryBuilder<Tables, 'memories', object> =>
  db.selectFrom('memories').where('account_id', '=', accountId).where('erased_at', 'is', null);

const base64 = (bytes: Uint8Array | null): string | null =>
  bytes && Buffer.from(bytes).toString('base64');

/** Characters of content per statement: more would multiply the memory in use. */
const statementCharacters = 1_048_576;

/**
 * Inserts memories of one or several accounts; returns the inserted ids. Skips memories whose
 * content an active memory of the account and space already has (memories_content).
 */
export async function insertMemories(
  tx: Tx,
  records: readonly MemoryRecord[],
): Promise<Set<string>> {
  const stored = new Set<string>();
  const batches = batchBySize(records, ({ content }) => content.length, statementCharacters);
  for (const batch of batches) for (const id of await insertBatch(tx, batch)) stored.add(id);
  return stored;
}

async function insertBatch(tx: Tx, records: readonly MemoryRecord[]): Promise<string[]> {
  const json = JSON.stringify(
    records.map((record) => ({
      ...record,
      metadata: JSON.stringify(record.metadata),
      content_hash: base64(record.content_hash),
    })),
  );
  const { rows } = await sql<{ id: string }>`
    insert into memories (account_id, id, space_id, session_id, session_ordinal, content,
      content_type, content_hash, tags, metadata, priority, is_pinned, protection_level,
      occurred_at, created_at, updated_at)
    select account_id, id, space_id, session_id, session_ordinal, content, content_type,
      decode(content_hash, 'base64'), tags, metadata::jsonb, priority, is_pinned,
      protection_level, occurred_at, created_at, updated_at
    from json_to_recordset(${json}::json) as row (account_id uuid, id uuid, space_id uuid,
      session_id uuid, session_ordinal integer, content text, content_type text,
      content_hash text, tags text[], metadata text, priority smallint, is_pinned boolean,
      protection_level text, occurred_at timestamptz, created_at timestamptz,
      updated_at timestamptz)
    on conflict do nothing
    returning id
  `.execute(tx);
  return rows.map((row) => row.id);
}

/** Writes every mutable field of memories of one account, including the revision. */
export async function saveMemories(tx: Tx, records: readonly MemoryRecord[]): Promise<void> {
  const json = JSON.stringify(
    records.map((record) => ({
      ...record,
      metadata: JSON.stringify(record.metadata),
      content_hash: base64(record.content_hash),
    })),
  );
  await sql`
    update memories as m set
      space_id = row.space_id, session_id = row.session_id,
      session_ordinal = row.session_ordinal, content = row.content,
      content_hash = decode(row.content_hash, 'base64'), tags = row.tags,
      metadata = row.metadata::jsonb, priority = row.priority, is_pinned = row.is_pinned,
      protection_level = row.protection_level, salience = row.salience,
      salience_at = row.salience_at, occurred_at = row.occurred_at,
      verified_at = row.verified_at,
      deleted_at = row.deleted_at, updated_at = row.updated_at, revision = row.revision
    from json_to_recordset(${json}::json) as row (account_id uuid, id uuid, space_id uuid,
      session_id uuid, session_ordinal integer, content text, content_hash text, tags text[],
      metadata text, priority smallint, is_pinned boolean, protection_level text,
      salience float8, salience_at timestamptz, occurred_at timestamptz, verified_at timestamptz,
      deleted_at timestamptz, updated_at timestamptz, revision integer)
    where m.account_id = row.account_id and m.id = row.id
  `.execute(tx);
}

export async function findMemory(
  db: Db,
  accountId: string,
  id: string,
): Promise<MemoryRecord | undefined> {
  const { rows } = await sql<MemoryRecord>`
    select ${columnList} from memories
    where account_id = ${accountId}::uuid and id = ${id}::uuid and erased_at is null`.execute(db);
  return rows[0];
}

/** Locked until the transaction ends, in the order of ids to prevent deadlocks of bulk changes. */
export const lockMemories = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<MemoryRecord[]> =>
  selectUnerasedMemories(tx, accountId)
    .select(memoryColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Active memories, unordered. */
export async function findMemories(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<MemoryRecord[]> {
  // The lateral look-up uses the whole key before the other conditions: in one condition, the
  // planner would scan the whole account if it has no statistics.
  const { rows } = await sql<MemoryRecord>`
    select ${columnList}
    from unnest(${[...new Set(ids)]}::uuid[]) as wanted (key) cross join lateral (
      select * from memories where account_id = ${accountId}::uuid and id = wanted.key limit 1
    ) as found
    where erased_at is null and deleted_at is null
  `.execute(db);
  return rows;
}

/** Ids of active memories in the visible spaces (`default`: none; null: all). */
export async function findVisibleIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
  visible: readonly string[] | null,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await whereInSpaces(selectUnerasedMemories(db, accountId), visible)
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Limits a query to the visible spaces (`default`: no space; null: all). */
export const whereInSpaces = <O>(
  query: SelectQueryBuilder<Tables, 'memories', O>,
  visible: readonly string[] | null,
): SelectQueryBuilder<Tables, 'memories', O> =>
  visible === null
    ? query
    : query.where(sql<boolean>`coalesce(space_id::text, 'default') = any(${visible}::text[])`);

/** The id of the active memory with this content in the same space. */
export async function findDuplicate(
  db: Db,
  record: Pick<MemoryRecord, 'account_id' | 'space_id' | 'content_hash'>,
): Promise<string | undefined> {
  // Duplicates were allowed for this memory.
  if (record.content_hash === null) return undefined;
  const row = await selectUnerasedMemories(db, record.account_id)
    .select('id')
    .where(sql<boolean>`space_id is not distinct from ${record.space_id}::uuid`)
    .where('content_hash', '=', record.content_hash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

export interface MemoryListFilter {
  /** Undefined: all visible spaces. Null: account level. */
  readonly spaceId: string | null | undefined;
  readonly visible: readonly string[] | null;
  readonly sessionId: string | undefined;
  readonly pinned: boolean | undefined;
  readonly protected: boolean | undefined;
  readonly minQuality: number | undefined;
  readonly minPriority: number | undefined;
  readonly contentType: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly tagsAny: readonly string[] | undefined;
  /** By column: from `after` on, and before `before`. */
  readonly times: Readonly<Record<TimeColumn, TimeRange>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly outdated: boolean | undefined;
  readonly includeDeleted: boolean;
  readonly sort: MemorySort;
  readonly order: 'asc' | 'desc';
  /** The end of the last page: the value that is sorted by, as text, and the id. */
  readonly after: { readonly value: string; readonly id: string } | null;
  readonly limit: number;
}

type TimeColumn = 'created_at' | 'updated_at' | 'occurred_at';
interface TimeRange {
  readonly after: Date | undefined;
  readonly before: Date | undefined;
}

/** What a list is sorted by, and its type. */
const sortKeys: Readonly<Record<MemorySort, { expression: RawBuilder<unknown>; type: string }>> = {
  created_at: { expression: sql`created_at`, type: 'timestamptz' },
  updated_at: { expression: sql`updated_at`, type: 'timestamptz' },
  occurred_at: { expression: sql`coalesce(occurred_at, created_at)`, type: 'timestamptz' },
  priority: { expression: sql`priority`, type: 'smallint' },
};

export async function listMemoryRows(
  db: Db,
  accountId: string,
  filter: MemoryListFilter,
): Promise<MemoryRecord[]> {
  let query = selectUnerasedMemories(db, accountId).select(memoryColumns);
  if (filter.spaceId === null) query = query.where('space_id', 'is', null);
  else if (filter.spaceId !== undefined) query = query.where('space_id', '=', filter.spaceId);
  query = whereInSpaces(query, filter.visible);
  if (filter.sessionId !== undefined) query = query.where('session_id', '=', filter.sessionId);
  if (filter.pinned !== undefined) query = query.where('is_pinned', '=', filter.pinned);
  if (filter.protected !== undefined) {
    query = query.where('protection_level', filter.protected ? '<>' : '=', 'none');
  }
  if (filter.minQuality !== undefined)
    query = query.where('quality_score', '>=', filter.minQuality);
  if (filter.minPriority !== undefined) query = query.where('priority', '>=', filter.minPriority);
  if (filter.contentType !== undefined)
    query = query.where('content_type', '=', filter.contentType);
  if (filter.tags) query = query.where(sql<boolean>`tags @> ${filter.tags}::text[]`);
  if (filter.tagsAny) query = query.where(sql<boolean>`tags && ${filter.tagsAny}::text[]`);
  for (const column of ['created_at', 'updated_at', 'occurred_at'] as const) {
    const { after, before } = filter.times[column];
    if (after) query = query.where(column, '>=', after);
    if (before) query = query.where(column, '<', before);
  }
  query = whereMetadata(query, filter.metadata);
  if (filter.outdated !== undefined) {
    const isOutdated = isOutdatedCondition(accountId, filter.visible, sql.ref('memories.id'));
    query = query.where(filter.outdated ? isOutdated : sql<boolean>`not ${isOutdated}`);
  }
  if (!filter.includeDeleted) query = query.where('deleted_at', 'is', null);
  const { expression, type } = sortKeys[filter.sort];
  const direction = sql.raw(filter.order);
  if (filter.after !== null) {
    const { value, id } = filter.after;
    const isAfter = sql.raw(filter.order === 'asc' ? '>' : '<');
    query = query.where(
      sql<boolean>`(${expression}, id) ${isAfter} (${value}::${sql.raw(type)}, ${id}::uuid)`,
    );
  }
  return query
    .orderBy(sql`${expression} ${direction}`)
    .orderBy(sql`id ${direction}`)
    .limit(filter.limit)
    .execute();
}

/** Keeps memories with these values of their metadata, as text. */
function whereMetadata<O>(
  query: SelectQueryBuilder<Tables, 'memories', O>,
  pairs: Readonly<Record<string, string>>,
): SelectQueryBuilder<Tables, 'memories', O> {
  return Object.entries(pairs).reduce(
    (all, [key, value]) => all.where(sql<boolean>`metadata ->> ${key}::text = ${value}::text`),
    query,
  );
}

export async function countMemoriesInSpace(
  db: Db,
  accountId: string,
  spaceId: string,
): Promise<{ active: number; deleted: number }> {
  return selectUnerasedMemories(db, accountId)
    .select([
      sql<number>`count(*) filter (where deleted_at is null)`.as('active'),
      sql<number>`count(*) filter (where deleted_at is not null)`.as('deleted'),
    ])
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow();
}

export async function deleteMemories(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('memories')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

/** Hides memories from every read, list and duplicate check; the rows are deleted later. */
export async function markMemoriesErased(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('memories')
    .set({ erased_at: now, space_id: null, content_hash: null })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

export async function deleteErasedMemories(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('memories')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('erased_at', 'is not', null)
    .execute();
}

/** Deletes some memories of the account; false if none were left. */
export async function deleteSomeMemories(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from memories where account_id = ${accountId}::uuid and id in (
      select id from memories where account_id = ${accountId}::uuid limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Ids of active memories whose metadata has these top-level values, compared as text. */
export async function idsWithMetadata(
  db: Db,
  accountId: string,
  pairs: Readonly<Record<string, string>>,
): Promise<Set<string>> {
  const query = selectUnerasedMemories(db, accountId).select('id').where('deleted_at', 'is', null);
  const rows = await whereMetadata(query, pairs).execute();
  return new Set(rows.map((row) => row.id));
}
