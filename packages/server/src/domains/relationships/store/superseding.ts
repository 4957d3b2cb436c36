import { sql } from 'kysely';
import type { Db } from '../../../engine/index.ts';
import { visibleMemories } from '../../memories/index.ts';
import type { Seen } from '../store.ts';

/** By superseded memory, the newest one that supersedes it; both names of the type are read. */
export async function findSuperseding(
  db: Db,
  { accountId, visible }: Seen,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ old: string; by: string }>`
    select link.old, link.by from (
      select case type when 'supersedes' then target_id else source_id end as old,
        case type when 'supersedes' then source_id else target_id end as by
      from relationships
      where account_id = ${accountId}::uuid and type in ('supersedes', 'superseded_by')
    ) as link
    join ${visibleMemories(accountId, visible)} as m on m.id = link.by
    where link.old = any(${ids}::uuid[])
    order by link.by
  `.execute(db);
  return new Map(rows.map(({ old, by }) => [old, by]));
}
