import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';

export interface StoredRelationship {
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly pinned_memory_count: number;
  /** Null: it has no inverse, or the inverse is deleted. */
  readonly is_mirrored: boolean | null;
}

/** Relationships ordered by id. */
export async function listRelationshipsAfter(
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<StoredRelationship[]> {
  const { rows } = await sql<StoredRelationship>`
    select id, source_id, target_id, pinned_memory_count, (
      select half.source_id = link.target_id and half.target_id = link.source_id
      from relationships as half
      where half.account_id = ${accountId}::uuid and half.id = link.inverse_id
    ) as is_mirrored
    from relationships as link
    where account_id = ${accountId}::uuid and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}::int
  `.execute(db);
  return rows;
}
