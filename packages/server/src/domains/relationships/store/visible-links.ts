import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import type { RelationshipRecord } from '../model.ts';
import type { Visibility } from './relationships.ts';

/** Which relationships are read, and of which memories. */
export interface LinkFilter {
  readonly types?: readonly string[] | undefined;
  readonly owner?: OwnerFilter | undefined;
  /** Only memories of what had happened by this time. */
  readonly asOf?: Date | undefined;
  /** Only relationships and memories that were stored by this time. */
  readonly knownAt?: Date | undefined;
}

type LinkRow = Pick<
  RelationshipRecord,
  | 'id'
  | 'source_id'
  | 'target_id'
  | 'type'
  | 'weight'
  | 'weight_set_at'
  | 'decay_rate'
  | 'pinned_memory_count'
>;

/** Relationships of these memories, in both directions; both memories are visible. */
export async function readVisibleLinks(
  db: Db,
  { accountId, visible }: Visibility,
  memoryIds: readonly string[],
  { types, owner = {}, asOf, knownAt }: LinkFilter,
): Promise<(LinkRow & { readonly near: string })[]> {
  const conditions: RawBuilder<unknown>[] = ownerNames.flatMap((name) =>
    owner[name] === undefined ? [] : [sql`and other.${sql.ref(name)} = ${owner[name]}`],
  );
  if (asOf) {
    const happened = sql`coalesce(other.occurred_at, other.created_at)`;
    conditions.push(sql`and ${happened} <= ${asOf}::timestamptz`);
  }
  if (knownAt) conditions.push(sql`and other.created_at <= ${knownAt}::timestamptz`);
  const isSeen = (id: string): RawBuilder<unknown> => sql`
    select from ${visibleMemoriesSubquery(accountId, visible)} as other
    where other.id = ${sql.ref(id)} ${sql.join(conditions, sql` `)} offset 0`;
  // A fenced look-up per memory: otherwise the planner scans the whole table.
  const side = (near: string, far: string): RawBuilder<unknown> => sql`
    select frontier.id as near, link.*
    from unnest(${memoryIds}::uuid[]) as frontier (id)
    cross join lateral (${isSeen('frontier.id')}) as seen_frontier
    cross join lateral (
      select r.id, r.source_id, r.target_id, r.type, r.weight, r.weight_set_at, r.decay_rate,
        r.pinned_memory_count
      from relationships r
      cross join lateral (${isSeen(far)}) as seen
      where r.account_id = ${accountId}::uuid and ${sql.ref(near)} = frontier.id
        ${types === undefined ? sql`` : sql`and r.type = any(${types}::text[])`}
        ${knownAt === undefined ? sql`` : sql`and r.created_at <= ${knownAt}::timestamptz`}
      offset 0
    ) as link`;
  const { rows } = await sql<LinkRow & { near: string }>`
    ${side('r.source_id', 'r.target_id')} union all
    ${side('r.target_id', 'r.source_id')}`.execute(db);
  return rows;
}
