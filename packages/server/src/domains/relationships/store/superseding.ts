import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import type { SuccessionEdge } from '../succession-graph.ts';
import type { Visibility } from './relationships.ts';

/**
 * A relation (old, by) of superseded memories and those that supersede them, from both types; `by`
 * is active and visible. `end` filters by the column of the superseded memory.
 */
const superseding = (
  { accountId, visible }: Visibility,
  end: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select link.old, link.by from (
    select target_id as old, source_id as by from relationships
    where account_id = ${accountId}::uuid and type = 'supersedes' ${end(sql`target_id`)}
    union all
    select source_id, target_id from relationships
    where account_id = ${accountId}::uuid and type = 'superseded_by' ${end(sql`source_id`)}
  ) as link
  cross join lateral (
    -- One by one, by its key: without statistics a join reads the whole account.
    select 1 from ${visibleMemoriesSubquery(accountId, visible)} as m where m.id = link.by limit 1
  ) as visible`;

/** For each superseded memory of these, the newest one that supersedes it. */
export async function findSuperseding(
  db: Db,
  visibility: Visibility,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ old: string; by: string }>`
    ${superseding(visibility, (column) => sql`and ${column} = any(${ids}::uuid[])`)}
    order by link.by
  `.execute(db);
  return new Map(rows.map(({ old, by }) => [old, by]));
}

/** For each of these memories the ids of those that supersede it, whether active or not. */
export async function listSuperseding(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<{ id: string; supersededBy: string[] }[]> {
  const { rows } = await sql<{ id: string; supersededBy: string[] }>`
    select older.id, coalesce(array_agg(distinct link.by) filter (where link.by is not null),
      '{}') as "supersededBy"
    from unnest(${ids}::uuid[]) as older (id)
    left join lateral (
      select source_id as by from relationships
      where account_id = ${accountId}::uuid and type = 'supersedes' and target_id = older.id
      union all
      select target_id from relationships
      where account_id = ${accountId}::uuid and type = 'superseded_by' and source_id = older.id
    ) as link on true
    group by older.id`.execute(db);
  return rows;
}

/** All successions that lead from these memories to older ones, over any number of steps. */
export async function listSuccessionsFrom(
  db: Db,
  accountId: string,
  newerIds: readonly string[],
): Promise<SuccessionEdge[]> {
  if (newerIds.length === 0) return [];
  const { rows } = await sql<SuccessionEdge>`
    with recursive edges (newer, older) as (
      select link.newer, link.older
      from unnest(${newerIds}::uuid[]) as start (id), ${olderOf(accountId, sql`start.id`)} as link
      union
      select link.newer, link.older
      from edges, ${olderOf(accountId, sql`edges.older`)} as link
    )
    select newer as "newerId", older as "olderId" from edges`.execute(db);
  return rows;
}

/** The successions of a newer memory, by both types. */
const olderOf = (accountId: string, newer: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  lateral (
    select source_id as newer, target_id as older from relationships
    where account_id = ${accountId}::uuid and type = 'supersedes' and source_id = ${newer}
    union all
    select target_id, source_id from relationships
    where account_id = ${accountId}::uuid and type = 'superseded_by' and target_id = ${newer}
  )`;

export async function findAllSuperseded(db: Db, visibility: Visibility): Promise<Set<string>> {
  const { rows } = await sql<{ old: string }>`${superseding(visibility, () => sql``)}`.execute(db);
  return new Set(rows.map(({ old }) => old));
}
