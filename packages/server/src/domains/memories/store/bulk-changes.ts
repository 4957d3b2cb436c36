import type { BulkAction } from '@mneme/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';

export interface BulkChangeRecord {
  readonly account_id: string;
  readonly id: string;
  readonly action: BulkAction;
  readonly spaces: string[] | null;
  readonly user_id: string | null;
  readonly status: string;
  readonly matched_count: number;
  readonly changed_count: number;
  readonly skipped_count: number;
  readonly restored_count: number;
  readonly left_count: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly undone_at: Date | null;
}

const columns = [
  'account_id',
  'id',
  'action',
  'spaces',
  'user_id',
  'status',
  'matched_count',
  'changed_count',
  'skipped_count',
  'restored_count',
  'left_count',
  'created_at',
  'completed_at',
  'undone_at',
] as const;

export async function insertBulkChange(tx: Tx, record: BulkChangeRecord): Promise<void> {
  const { action, spaces, ...row } = record;
  await tx
    .insertInto('bulk_changes')
    .values({ ...row, action: JSON.stringify(action), spaces: spaces && [...spaces] })
    .execute();
}

export const findBulkChange = (
  db: Db,
  accountId: string,
  id: string,
): Promise<BulkChangeRecord | undefined> =>
  db
    .selectFrom('bulk_changes')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst() as Promise<BulkChangeRecord | undefined>;

/** Nobody else changes its status until the transaction ends. */
export const lockBulkChange = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<BulkChangeRecord | undefined> =>
  tx
    .selectFrom('bulk_changes')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<BulkChangeRecord | undefined>;

export type BulkChangeUpdate = Partial<
  Pick<BulkChangeRecord, 'status' | 'completed_at' | 'undone_at'>
>;

export async function updateBulkChange(
  db: Db,
  accountId: string,
  id: string,
  changes: BulkChangeUpdate,
): Promise<void> {
  await db
    .updateTable('bulk_changes')
    .set(changes)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

type Counter = 'changed_count' | 'skipped_count' | 'restored_count' | 'left_count';

export async function addToBulkChange(
  db: Db,
  accountId: string,
  id: string,
  counts: Partial<Record<Counter, number>>,
): Promise<void> {
  const increments = Object.entries(counts).map(
    ([name, count]) => sql`${sql.ref(name)} = ${sql.ref(name)} + ${count}::int`,
  );
  await sql`
    update bulk_changes set ${sql.join(increments, sql`, `)}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(db);
}

/** The fields of a memory that a change has set, as JSON. */
export interface BulkChangeItem {
  readonly memory_id: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** A memory that a step has changed before it was interrupted keeps what it was at first. */
export async function insertBulkChangeItems(
  tx: Tx,
  accountId: string,
  changeId: string,
  items: readonly BulkChangeItem[],
): Promise<void> {
  if (items.length === 0) return;
  const json = JSON.stringify(items);
  await sql`
    insert into bulk_change_items (account_id, change_id, memory_id, before, after)
    select ${accountId}::uuid, ${changeId}::uuid, memory_id, before, after
    from json_to_recordset(${json}::json) as row (memory_id uuid, before jsonb, after jsonb)
    on conflict do nothing`.execute(tx);
}

export async function listBulkChangeItems(
  db: Db,
  accountId: string,
  changeId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<BulkChangeItem[]> {
  const { rows } = await sql<BulkChangeItem>`
    select memory_id, before, after from bulk_change_items
    where account_id = ${accountId}::uuid and change_id = ${changeId}::uuid
      and memory_id > ${after}::uuid
    order by memory_id limit ${limit}::int`.execute(db);
  return rows;
}

/** Deletes some items of changes that cannot be undone any more; returns how many. */
export async function pruneBulkChangeItems(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from bulk_change_items where (account_id, change_id, memory_id) in (
      select i.account_id, i.change_id, i.memory_id from bulk_changes c
      join bulk_change_items i on i.account_id = c.account_id and i.change_id = c.id
      where c.created_at < ${before}::timestamptz
        and c.status not in ('queued', 'running', 'undoing')
      limit ${limit}::int)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes some changes of an account without a limit of age; returns how many rows. */
export async function deleteBulkChangeRows(
  db: Db,
  accountId: string,
  limit: number,
): Promise<number> {
  const items = await sql`
    delete from bulk_change_items where account_id = ${accountId}::uuid
      and (change_id, memory_id) in (
        select change_id, memory_id from bulk_change_items
        where account_id = ${accountId}::uuid limit ${limit}::int)`.execute(db);
  if ((items.numAffectedRows ?? 0n) > 0n) return Number(items.numAffectedRows);
  const changes = await sql`
    delete from bulk_changes where account_id = ${accountId}::uuid`.execute(db);
  return Number(changes.numAffectedRows ?? 0n);
}
