import type { Owner } from '@mneme/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  insertRows,
  type RowColumn,
  type Tables,
  type Tx,
} from '../../../database/index.ts';
import { batchBySize } from '../../../kernel/batches.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { andVisible, mayBeOutdatedCondition } from '../../search-index/index.ts';
import { isExpired, type MemoryRecord, salienceHalfLifeDays } from '../model.ts';

export const memoryColumns = [
  'account_id',
  'id',
  'space_id',
  'user_id',
  'agent_id',
  'run_id',
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
  'expires_at',
  'detect_updates',
  'verified_at',
  'deleted_at',
  'created_at',
  'updated_at',
] as const;

/** Prebuilt SQL for hot statements: building it takes longer than the rest. */
const columnList = sql.raw(memoryColumns.join(', '));

/** The column `may_be_outdated` of a record. */
export const mayBeOutdated = (accountId: string): RawBuilder<boolean> =>
  mayBeOutdatedCondition(accountId, sql.ref('memories.id'));

/** The account's memories without those that wait for their erasure. */
export const selectUnerasedMemories = (
  db: Db,
  accountId: string,
): SelectQueryBuilder<Tables, 'memories', object> =>
  db.selectFrom('memories').where('account_id', '=', accountId).where('erased_at', 'is', null);

/** The condition that a memory has not expired. */
export const isUnexpired = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(expires_at is null or expires_at > ${now}::timestamptz)`;

/** As salienceAt in model.ts: null before the first computation. */
export const currentSalience = (now: Date): RawBuilder<number | null> => sql<number | null>`(
  case when is_pinned or salience_at is null then salience
  else salience * power(0.5::double precision,
    greatest(0, extract(epoch from ${now}::timestamptz - salience_at)) / 86400.0
      / ${salienceHalfLifeDays}::double precision)
  end)`;

const base64 = (bytes: Uint8Array | null): string | null =>
  bytes && Buffer.from(bytes).toString('base64');

/** Characters of content per statement: more would multiply the memory in use. */
const statementCharacters = 1_048_576;

/**
 * Inserts memories of an account; returns the inserted ids. Skips memories whose content an active
 * memory of the owner already has in the space (memories_content).
 */
export async function insertMemories(
  tx: Tx,
  accountId: string,
  records: readonly MemoryRecord[],
): Promise<Set<string>> {
  const stored = new Set<string>();
  const batches = batchBySize(records, ({ content }) => content.length, statementCharacters);
  for (const batch of batches) {
    for (const id of await insertBatch(tx, accountId, batch)) stored.add(id);
  }
  return stored;
}

/** A record, or an imported one with its count. */
type InsertedRecord = MemoryRecord & { readonly access_count?: number };

const column = (name: keyof InsertedRecord, type: string): RowColumn<InsertedRecord> => ({
  name,
  type,
  value: (record) => record[name],
});

const insertedColumns: readonly RowColumn<InsertedRecord>[] = [
  column('id', 'uuid'),
  column('space_id', 'uuid'),
  column('user_id', 'text'),
  column('agent_id', 'text'),
  column('run_id', 'text'),
  column('session_id', 'uuid'),
  column('session_ordinal', 'integer'),
  column('content', 'text'),
  column('content_type', 'text'),
  column('content_hash', 'bytea'),
  column('tags', 'text[]'),
  column('metadata', 'jsonb'),
  column('priority', 'smallint'),
  column('is_pinned', 'boolean'),
  column('protection_level', 'text'),
  column('salience', 'float8'),
  column('salience_at', 'timestamptz'),
  { name: 'access_count', type: 'integer', value: ({ access_count = 0 }) => access_count },
  column('quality_score', 'float8'),
  column('occurred_at', 'timestamptz'),
  column('expires_at', 'timestamptz'),
  column('detect_updates', 'text'),
  column('verified_at', 'timestamptz'),
  column('deleted_at', 'timestamptz'),
  column('created_at', 'timestamptz'),
  column('updated_at', 'timestamptz'),
];

async function insertBatch(
  tx: Tx,
  accountId: string,
  records: readonly MemoryRecord[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${insertRows('memories', accountId, insertedColumns, records)}
    on conflict do nothing
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}

/** False once the account was erased: nothing of it is inserted then. */
export async function hasAccount(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_positions where account_id = ${accountId}::uuid`.execute(db);
  return rows.length > 0;
}

/** Writes every mutable field of memories of one account, including the revision. */
export async function saveMemories(
  tx: Tx,
  accountId: string,
  records: readonly MemoryRecord[],
): Promise<void> {
  const json = JSON.stringify(
    records.map((record) => ({
      ...record,
      metadata: JSON.stringify(record.metadata),
      content_hash: base64(record.content_hash),
    })),
  );
  // With the whole key as parameters: by the account and the JSON alone, a plan for any account
  // would scan all of its memories.
  const ids = records.map(({ id }) => id);
  await sql`
    update memories as m set
      space_id = row.space_id, session_id = row.session_id,
      session_ordinal = row.session_ordinal, content = row.content,
      content_hash = decode(row.content_hash, 'base64'), tags = row.tags,
      metadata = row.metadata::jsonb, priority = row.priority, is_pinned = row.is_pinned,
      protection_level = row.protection_level, salience = row.salience,
      salience_at = row.salience_at, occurred_at = row.occurred_at,
      expires_at = row.expires_at, verified_at = row.verified_at,
      deleted_at = row.deleted_at, updated_at = row.updated_at, revision = row.revision
    from json_to_recordset(${json}::json) as row (id uuid, space_id uuid,
      session_id uuid, session_ordinal integer, content text, content_hash text, tags text[],
      metadata text, priority smallint, is_pinned boolean, protection_level text,
      salience float8, salience_at timestamptz, occurred_at timestamptz,
      expires_at timestamptz, verified_at timestamptz, deleted_at timestamptz,
      updated_at timestamptz, revision integer)
    where m.account_id = ${accountId}::uuid and m.id = any(${ids}::uuid[]) and m.id = row.id
  `.execute(tx);
}

export async function findMemoryRow(
  db: Db,
  accountId: string,
  id: string,
): Promise<MemoryRecord | undefined> {
  const { rows } = await sql<MemoryRecord>`
    select ${columnList}, ${mayBeOutdated(accountId)} as may_be_outdated from memories
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
  // As one condition that no partial index has: without statistics the planner would scan one of
  // those for the whole account. A distributed database plans a statement on one table only once.
  const { rows } = await sql<MemoryRecord>`
    select ${columnList} from memories
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and coalesce(erased_at, deleted_at) is null`.execute(db);
  return rows;
}

/** Ids of active memories that are visible. */
export async function findVisibleIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
  { visible, now }: { readonly visible: MemoryVisibility; readonly now: Date },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await whereVisible(selectUnerasedMemories(db, accountId), visible)
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where(isUnexpired(now))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The first characters of memories that are visible and have not expired, in no order. */
export const readMemoryLabels = (
  db: Db,
  accountId: string,
  ids: readonly string[],
  { visible, now }: { readonly visible: MemoryVisibility; readonly now: Date },
  charactersMax: number,
): Promise<{ id: string; label: string; created_at: Date }[]> =>
  whereVisible(selectUnerasedMemories(db, accountId), visible)
    .select(['id', 'created_at', sql<string>`left(content, ${charactersMax}::int)`.as('label')])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnexpired(now))
    .execute();

/** Limits a query to visible memories. */
export const whereVisible = <O>(
  query: SelectQueryBuilder<Tables, 'memories', O>,
  visible: MemoryVisibility,
): SelectQueryBuilder<Tables, 'memories', O> =>
  query.where(sql<boolean>`true ${andVisible(visible)}`);

/**
 * The id of the active memory of this owner with this content in this space. One that has expired
 * and is not yet erased gives its content up.
 */
export async function findDuplicate(
  tx: Tx,
  record: Pick<MemoryRecord, 'account_id' | 'space_id' | 'content_hash' | keyof Owner>,
  now: Date,
): Promise<string | undefined> {
  // Duplicates were allowed for this memory.
  if (record.content_hash === null) return undefined;
  const row = await selectUnerasedMemories(tx, record.account_id)
    .select(['id', 'expires_at'])
    .where(sql<boolean>`space_id is not distinct from ${record.space_id}::uuid`)
    .where('content_hash', '=', record.content_hash)
    .where(sql<boolean>`coalesce(user_id, '') = ${record.user_id ?? ''}`)
    .where(sql<boolean>`coalesce(agent_id, '') = ${record.agent_id ?? ''}`)
    .where(sql<boolean>`coalesce(run_id, '') = ${record.run_id ?? ''}`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row || !isExpired(row, now)) return row?.id;
  await tx
    .updateTable('memories')
    .set({ content_hash: null })
    .where('account_id', '=', record.account_id)
    .where('id', '=', row.id)
    .execute();
  return undefined;
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

/** Memories that have expired, the earliest first, of all accounts but some. */
export function listExpiredMemories(
  db: Db,
  now: Date,
  exceptAccounts: readonly string[],
  limit: number,
): Promise<Pick<MemoryRecord, 'account_id' | 'id'>[]> {
  return acrossAvailableAccounts(db, 'a job erases expired memories')
    .selectFrom('memories')
    .select(['account_id', 'id'])
    .where('expires_at', '<=', now)
    .where(sql<boolean>`account_id <> all(${exceptAccounts}::uuid[])`)
    .where('erased_at', 'is', null)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
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
