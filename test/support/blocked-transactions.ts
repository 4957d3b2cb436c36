import { sql } from 'kysely';
import type { Tx } from '../../packages/server/src/database/index.ts';
import { onlyEngine } from '../../packages/server/src/database/testing.ts';

/** On a cluster, where the locks of rows are on the workers, of all its nodes. */
const blockedByThis =
  onlyEngine === 'Citus'
    ? sql`select from citus_lock_waits where blocking_gpid = citus_backend_gpid()`
    : sql`select from pg_locks
        where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;

/** How many others wait for locks of this transaction. */
export const countBlockedBy = async (tx: Tx): Promise<number> =>
  (await blockedByThis.execute(tx)).rows.length;
