import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';

export interface SessionCounters {
  readonly id: string;
  readonly memory_count: number;
  readonly message_count: number;
  readonly next_ordinal: number;
}

const columns = ['id', 'memory_count', 'message_count', 'next_ordinal'] as const;

/** Sessions that are not erased, ordered by id. */
export async function listSessionsAfter(
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<SessionCounters[]> {
  let query = db
    .selectFrom('cli_sessions')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('erased_at', 'is', null);
  if (after !== null) query = query.where('id', '>', after);
  return query.orderBy('id').limit(limit).execute();
}

/** The ids whose sessions are not erased. */
export async function findExistingSessionIds(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('cli_sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('erased_at', 'is', null)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
