import { type RawBuilder, sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { joinExistingMemory, visibleMemoriesSubquery } from '../../memories/index.ts';
import type { RelationshipRecord } from '../model.ts';

export const relationshipColumns = [
  'account_id',
  'id',
  'source_id',
  'target_id',
  'type',
  'inverse_id',
  'description',
  'weight',
  'weight_set_at',
  'decay_rate',
  'pinned_memory_count',
  'usage_count',
  'last_reinforced_at',
  'rules',
  'metadata',
  'created_at',
  'updated_at',
] as const;
const prefixedColumns = sql.join(relationshipColumns.map((name) => sql.ref(`r.${name}`)));

/** Limits queries to visible memories of the account. */
export interface Visibility {
  readonly accountId: string;
  readonly visible: MemoryVisibility;
}

const joinVisibleMemories = ({ accountId, visible }: Visibility): RawBuilder<unknown> => sql`
  join ${visibleMemoriesSubquery(accountId, visible)} as s on s.id = r.source_id
  join ${visibleMemoriesSubquery(accountId, visible)} as t on t.id = r.target_id`;

const typeCondition = (type: string | undefined): RawBuilder<unknown> =>
  type === undefined ? sql`` : sql`and r.type = ${type}`;

export async function insertRelationships(
  tx: Tx,
  accountId: string,
  records: readonly RelationshipRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const json = JSON.stringify(
    records.map((record) => ({
      ...record,
      rules: JSON.stringify(record.rules),
      metadata: JSON.stringify(record.metadata),
    })),
  );
  await sql`
    insert into relationships (account_id, id, source_id, target_id, type, inverse_id,
      description, weight, weight_set_at, decay_rate, pinned_memory_count, usage_count,
      last_reinforced_at, rules, metadata, created_at, updated_at)
    select account.account_id, id, source_id, target_id, type, inverse_id, description, weight,
      weight_set_at, decay_rate, pinned_memory_count, usage_count, last_reinforced_at,
      rules::jsonb, metadata::jsonb, created_at, updated_at
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (id uuid, source_id uuid,
      target_id uuid, type text, inverse_id uuid, description text, weight float8,
      weight_set_at timestamptz, decay_rate float8, pinned_memory_count smallint,
      usage_count integer, last_reinforced_at timestamptz, rules text, metadata text,
      created_at timestamptz, updated_at timestamptz)
  `.execute(tx);
}

/** Writes every mutable field. */
export async function saveRelationship(tx: Tx, record: RelationshipRecord): Promise<void> {
  await tx
    .updateTable('relationships')
    .set({
      description: record.description,
      weight: record.weight,
      weight_set_at: record.weight_set_at,
      usage_count: record.usage_count,
      last_reinforced_at: record.last_reinforced_at,
      metadata: JSON.stringify(record.metadata),
      updated_at: record.updated_at,
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}

export interface RelationshipTriple {
  readonly source_id: string;
  readonly target_id: string;
  readonly type: string;
}

/** The relationship of a triple and its inverse, locked in the order of ids. */
export function lockRelationshipAndInverse(
  tx: Tx,
  accountId: string,
  triple: RelationshipTriple,
): Promise<RelationshipRecord[]> {
  const named = tx
    .selectFrom('relationships')
    .select(['id', 'inverse_id'])
    .where('account_id', '=', accountId)
    .where('source_id', '=', triple.source_id)
    .where('target_id', '=', triple.target_id)
    .where('type', '=', triple.type);
  return tx
    .with('named', () => named)
    .selectFrom('relationships')
    .select(relationshipColumns)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id in (select id from named union all select inverse_id from named)`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Ids of the triples that exist. */
export async function findRelationshipTriples(
  db: Db,
  accountId: string,
  triples: readonly RelationshipTriple[],
): Promise<(RelationshipTriple & { id: string })[]> {
  const { rows } = await sql<RelationshipTriple & { id: string }>`
    select r.id, r.source_id, r.target_id, r.type
    from json_to_recordset(${JSON.stringify(triples)}::json) as wanted
      (source_id uuid, target_id uuid, type text)
    join relationships r on r.account_id = ${accountId}::uuid
      and r.source_id = wanted.source_id and r.target_id = wanted.target_id
      and r.type = wanted.type`.execute(db);
  return rows;
}

/**
 * Number of incoming and outgoing relationships per memory. From `limit` on the count excludes
 * relationships to memories that wait for their erasure.
 */
export async function countDegrees(
  db: Db,
  accountId: string,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, number>> {
  const all = await degrees(db, accountId, ids, sql``);
  const full = [...all].filter(([, degree]) => degree >= limit).map(([id]) => id);
  if (full.length === 0) return all;
  const existing = joinExistingMemory(accountId, sql.ref('r.other'));
  const exact = await degrees(db, accountId, full, existing);
  for (const id of full) all.set(id, exact.get(id) ?? 0);
  return all;
}

async function degrees(
  db: Db,
  accountId: string,
  ids: readonly string[],
  join: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; degree: number }>`
    select r.id, count(*) as degree from (
      select source_id as id, target_id as other from relationships
      where account_id = ${accountId}::uuid and source_id = any(${ids}::uuid[])
      union all
      select target_id, source_id from relationships
      where account_id = ${accountId}::uuid and target_id = any(${ids}::uuid[])
    ) as r ${join}
    group by r.id`.execute(db);
  return new Map(rows.map(({ id, degree }) => [id, degree]));
}

export async function deleteRelationship(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('relationships')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Outgoing or incoming relationships of a memory, newest first; both memories visible. */
export async function listRelationshipsOfMemory(
  db: Db,
  visibility: Visibility,
  memoryId: string,
  direction: 'outgoing' | 'incoming',
  type: string | undefined,
): Promise<RelationshipRecord[]> {
  const column = sql.ref(direction === 'outgoing' ? 'r.source_id' : 'r.target_id');
  const { rows } = await sql<RelationshipRecord>`
    select ${prefixedColumns}
    from relationships r ${joinVisibleMemories(visibility)}
    where r.account_id = ${visibility.accountId}::uuid and ${column} = ${memoryId}::uuid
      ${typeCondition(type)}
    order by r.id desc`.execute(db);
  return rows;
}

/** Unordered, also with soft-deleted memories. */
export const findRelationships = (
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<RelationshipRecord[]> =>
  db
    .selectFrom('relationships')
    .select(relationshipColumns)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();

/** Call after a memory was pinned (1) or unpinned (−1); updates both directions. */
export async function adjustPinnedCounts(
  tx: Tx,
  accountId: string,
  memoryId: string,
  count: 1 | -1,
): Promise<void> {
  // Locked in order first, so that pinning two neighbours cannot deadlock.
  await sql`
    with own as (
      select id from relationships
      where account_id = ${accountId}::uuid
        and (source_id = ${memoryId}::uuid or target_id = ${memoryId}::uuid)
      order by id for update
    )
    update relationships set pinned_memory_count = pinned_memory_count + ${count}::int
    from own where account_id = ${accountId}::uuid and relationships.id = own.id`.execute(tx);
}
