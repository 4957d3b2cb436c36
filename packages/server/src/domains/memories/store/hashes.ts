import type { Owner } from '@mneme/contract';
import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { isUnexpired } from './memories.ts';

/** Where duplicates are looked for: the memories of an owner in a space. */
type DuplicateScope = Pick<MemoryRecord, 'account_id' | 'space_id' | keyof Owner>;

const noSpace = '00000000-0000-0000-0000-000000000000';
const toHex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/** Ids of the active memories that have these hashes; null for a hash that none has. */
export async function findIdsByHashes(
  db: Db,
  scope: DuplicateScope,
  hashes: readonly Uint8Array[],
  now: Date,
): Promise<(string | null)[]> {
  const wanted = hashes.map(toHex);
  if (wanted.length === 0) return [];
  const { account_id, space_id, user_id, agent_id, run_id } = scope;
  // One by one, by the whole key of memories_content: without statistics the planner would scan.
  const { rows } = await sql<{ hash: string; id: string }>`
    select wanted.hash, found.id from unnest(${[...new Set(wanted)]}::text[]) as wanted (hash)
    cross join lateral (
      select id from memories
      where account_id = ${account_id}::uuid
        and coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid)
          = ${space_id ?? noSpace}::uuid
        and content_hash = decode(wanted.hash, 'hex')
        and coalesce(user_id, '') = ${user_id ?? ''}
        and coalesce(agent_id, '') = ${agent_id ?? ''}
        and coalesce(run_id, '') = ${run_id ?? ''}
        and deleted_at is null and erased_at is null and ${isUnexpired(now)}
      limit 1
    ) as found`.execute(db);
  const ids = new Map(rows.map(({ hash, id }) => [hash, id]));
  return wanted.map((hash) => ids.get(hash) ?? null);
}
