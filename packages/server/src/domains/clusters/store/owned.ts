import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import { isUnexpired } from '../../memories/index.ts';
import { andVisible } from '../../search-index/index.ts';
import type { ClusterRecord } from '../model.ts';
import { clusterColumns, visibleClustersCondition } from './clusters.ts';

/** Further conditions on the columns of an owner. */
export const andOwnedBy = (owner: OwnerFilter): RawBuilder<unknown> =>
  sql.join(
    ownerNames.flatMap((name) =>
      owner[name] === undefined ? [] : [sql`and ${sql.ref(name)} = ${owner[name]}`],
    ),
    sql` `,
  );

/** A cluster with what concerns its visible members. */
export interface OwnMembersRow extends ClusterRecord {
  readonly own_count: number;
  readonly first_added_at: Date;
  readonly last_added_at: Date;
  /** The newest of these members. */
  readonly sample: readonly string[];
}

/** Clusters with a visible member: some, or all. */
export async function clustersWithOwnMembers(
  db: Db,
  accountId: string,
  visible: MemoryVisibility,
  {
    ids,
    owner,
    now,
    sampleMax,
  }: {
    readonly ids?: readonly string[] | undefined;
    readonly owner: OwnerFilter;
    readonly now: Date;
    readonly sampleMax: number;
  },
): Promise<OwnMembersRow[]> {
  const { rows } = await sql<OwnMembersRow>`
    select c.*, own.own_count, own.first_added_at, own.last_added_at, own.sample
    from (
      select ${clusterColumns} from clusters
      where account_id = ${accountId}::uuid and run_id is null
        and ${visibleClustersCondition(visible.spaces)}
        ${ids === undefined ? sql`` : sql`and id = any(${ids}::uuid[])`}
    ) as c
    join (
      select m.member_set_id as set_id, count(*)::int as own_count,
        min(m.added_at) as first_added_at, max(m.added_at) as last_added_at,
        (array_agg(m.memory_id order by m.memory_id desc))[1:${sampleMax}::int] as sample
      from cluster_memories m
      join (
        select id from memories
        where account_id = ${accountId}::uuid and erased_at is null and deleted_at is null
          and ${isUnexpired(now)} ${andVisible(visible)} ${andOwnedBy(owner)}
      ) as v on v.id = m.memory_id
      where m.account_id = ${accountId}::uuid
      group by m.member_set_id
    ) as own on own.set_id = c.member_set_id`.execute(db);
  return rows;
}
