import { sql } from 'kysely';
import { acrossAvailableAccounts, type Db, type Tx } from '../../../database/index.ts';
import { inSpaces } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';

export interface RunRecord {
  readonly account_id: string;
  readonly id: string;
  readonly kind: string;
  readonly algorithm: string;
  readonly min_cluster_size: number;
  readonly space_id: string | null;
  /** Null: all of the scope. */
  readonly memory_ids: string[] | null;
  readonly status: string;
  readonly attempt: number;
  readonly memory_count: number;
  readonly cluster_count: number;
  readonly noise_count: number;
  readonly sampled_count: number | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
}

const columns = [
  'account_id',
  'id',
  'kind',
  'algorithm',
  'min_cluster_size',
  'space_id',
  'memory_ids',
  'status',
  'attempt',
  'memory_count',
  'cluster_count',
  'noise_count',
  'sampled_count',
  'error',
  'created_at',
  'started_at',
  'completed_at',
] as const;

const activeStatuses = ['queued', 'running'];
const ofAccount = (db: Db, accountId: string) =>
  db.selectFrom('cluster_runs').select(columns).where('account_id', '=', accountId);

export const findRun = (db: Db, accountId: string, id: string): Promise<RunRecord | undefined> =>
  ofAccount(db, accountId).where('id', '=', id).executeTakeFirst();

/** The queued or running run of a scope. */
export const activeRun = (
  db: Db,
  accountId: string,
  spaceId: string | null,
): Promise<RunRecord | undefined> =>
  ofAccount(db, accountId)
    .where(sql<boolean>`space_id is not distinct from ${spaceId}::uuid`)
    .where('status', 'in', activeStatuses)
    .executeTakeFirst();

export async function insertRun(
  tx: Tx,
  run: Omit<RunRecord, 'attempt' | 'cluster_count' | 'noise_count'>,
): Promise<void> {
  const { memory_ids: ids, ...row } = run;
  await tx
    .insertInto('cluster_runs')
    .values({ ...row, memory_ids: ids && [...ids] })
    .execute();
}

/** Claims a run; the previous owner cannot write any more. Undefined: it has ended. */
export async function claimRunRow(
  tx: Tx,
  accountId: string,
  id: string,
  now: Date,
): Promise<RunRecord | undefined> {
  return tx
    .updateTable('cluster_runs')
    .set({
      status: 'running',
      attempt: sql<number>`attempt + 1`,
      started_at: sql<Date>`coalesce(started_at, ${now}::timestamptz)`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', 'in', activeStatuses)
    .returning(columns)
    .executeTakeFirst();
}

export type RunUpdate = Partial<
  Pick<
    RunRecord,
    | 'status'
    | 'memory_count'
    | 'cluster_count'
    | 'noise_count'
    | 'sampled_count'
    | 'error'
    | 'completed_at'
  >
>;

export async function updateRun(
  tx: Tx,
  accountId: string,
  id: string,
  changes: RunUpdate,
): Promise<void> {
  await tx
    .updateTable('cluster_runs')
    .set(changes)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', 'in', activeStatuses)
    .execute();
}

/** Queued and running runs, whose ids are those of their jobs. */
export const listActiveRuns = (db: Db): Promise<{ account_id: string; id: string }[]> =>
  acrossAvailableAccounts(db, 'a job ends runs without a job')
    .selectFrom('cluster_runs')
    .select(['account_id', 'id'])
    .where('status', 'in', activeStatuses)
    .execute();

export interface RunFilter {
  /** Null: all; otherwise only runs of these spaces: account-wide runs read every space. */
  readonly visible: readonly string[] | null;
  readonly status?: string | undefined;
  readonly kind?: string | undefined;
  readonly spaceId?: string | null | undefined;
}

/** Newest first. */
export async function listRuns(
  db: Db,
  accountId: string,
  filter: RunFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: RunRecord[]; total: number }> {
  const { visible, status, kind, spaceId } = filter;
  let query = ofAccount(db, accountId);
  if (visible !== null) query = query.where(sql<boolean>`space_id::text = any(${visible}::text[])`);
  if (status !== undefined) query = query.where('status', '=', status);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (spaceId !== undefined) {
    query = query.where(sql<boolean>`space_id is not distinct from ${spaceId}::uuid`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** The last run that found clusters in a scope. */
export const lastFullRun = (
  db: Db,
  accountId: string,
  spaceId: string | null,
): Promise<RunRecord | undefined> =>
  ofAccount(db, accountId)
    .where(sql<boolean>`space_id is not distinct from ${spaceId}::uuid`)
    .where('kind', '=', 'full')
    .where('status', '=', 'completed')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The whole account, and the spaces with a full run. */
export async function listRunScopes(db: Db, accountId: string): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('cluster_runs')
    .select('space_id')
    .distinct()
    .where('account_id', '=', accountId)
    .where('kind', '=', 'full')
    .where('space_id', 'is not', null)
    .execute();
  return [null, ...rows.map(({ space_id }) => space_id)];
}

/** Accounts with automatic runs, and the change up to which they were checked. */
export const listAutoRunAccounts = (db: Db): Promise<{ account_id: string; cursor: number }[]> =>
  acrossAvailableAccounts(db, 'a job queues automatic runs')
    .selectFrom('clustering_settings')
    .select(['account_id', 'cursor'])
    .where('auto_enabled', '=', true)
    .execute();

export async function setAutoRunCursor(tx: Tx, accountId: string, lookedTo: number): Promise<void> {
  await tx
    .updateTable('clustering_settings')
    .set({ cursor: lookedTo })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Deletes runs that ended before a time, except the newest full and incremental run of each scope
 * and the last one that found clusters there: it identifies the scope, and its noise is the
 * reference. Returns how many.
 */
export async function pruneRunRows(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from cluster_runs where (account_id, id) in (
      select account_id, id from cluster_runs r
      where completed_at < ${before}::timestamptz and exists (
        select from cluster_runs n where n.account_id = r.account_id
          and n.space_id is not distinct from r.space_id and n.kind = r.kind
          and (n.status = 'completed' or r.status <> 'completed')
          and (n.created_at, n.id) > (r.created_at, r.id))
      limit ${limit}::int)`.execute(acrossAvailableAccounts(db, 'old runs expire'));
  return Number(numAffectedRows ?? 0n);
}

/** Memories that a run may assign: `manual` excludes those in a manual cluster. */
const unclusteredMemories = (
  accountId: string,
  spaceId: string | null,
  besides: 'manual' | 'any',
) => sql`
  from ${visibleMemoriesSubquery(accountId, inSpaces(spaceId === null ? null : [spaceId]))} as v
  where not exists (
    select from cluster_memories m join clusters c
      on c.account_id = m.account_id and c.member_set_id = m.member_set_id and c.run_id is null
    where m.account_id = ${accountId}::uuid and m.memory_id = v.id and ${
      besides === 'manual'
        ? sql`c.type = 'manual'`
        : sql`(c.type = 'manual' or c.space_id is not distinct from ${spaceId}::uuid)`
    })`;

/** In no manual cluster (`manual`), or also in no automatic cluster of the scope (`any`). */
export async function countUnclustered(
  db: Db,
  accountId: string,
  spaceId: string | null,
  besides: 'manual' | 'any',
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count ${unclusteredMemories(accountId, spaceId, besides)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Some of them in the order of their ids. */
export async function listUnclusteredAfter(
  db: Db,
  accountId: string,
  spaceId: string | null,
  besides: 'manual' | 'any',
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select v.id ${unclusteredMemories(accountId, spaceId, besides)} and v.id > ${after}::uuid
    order by v.id limit ${limit}::int`.execute(db);
  return rows.map(({ id }) => id);
}

/** The memories that are in a manual cluster. */
export async function findManuallyClustered(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ memory_id: string }>`
    select distinct m.memory_id from cluster_memories m join clusters c
      on c.account_id = m.account_id and c.member_set_id = m.member_set_id and c.type = 'manual'
    where m.account_id = ${accountId}::uuid and m.memory_id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ memory_id }) => memory_id));
}

/** Deletes the runs of a removed space; an active one ends. */
export async function deleteRunsOfSpace(tx: Tx, accountId: string, spaceId: string): Promise<void> {
  await tx
    .deleteFrom('cluster_runs')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .execute();
}
