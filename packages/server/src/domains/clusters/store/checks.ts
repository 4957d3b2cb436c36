import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import { inSpaces } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';

export interface StoredMemberCount {
  readonly id: string;
  readonly memory_count: number;
  /** Number of its active memories. */
  readonly members: number;
  /** Number of those that are in another space than the cluster's. */
  readonly strangers: number;
}

/** Clusters in the order of ids, including staged ones. */
export async function listMemberCountsAfter(
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<StoredMemberCount[]> {
  const { rows } = await sql<StoredMemberCount>`
    select c.id, c.memory_count, count(v.id) as members,
      count(v.id) filter (
        where c.space_id is not null and v.space_id is distinct from c.space_id) as strangers
    from (
      select id, member_set_id, space_id, memory_count from clusters
      where account_id = ${accountId}::uuid and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}::int
    ) as c
    left join cluster_memories m on m.account_id = ${accountId}::uuid and m.member_set_id =
      c.member_set_id
    left join ${visibleMemoriesSubquery(accountId, inSpaces(null))} as v on v.id = m.memory_id
    group by c.id, c.memory_count order by c.id`.execute(db);
  return rows;
}
