import type { BulkAction } from '@mneme/contract';
import { sql } from 'kysely';
import { accountRow, acrossAvailableAccounts, type Db, type Tx } from '../../../database/index.ts';

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
    select account.account_id, ${changeId}::uuid, memory_id, before, after
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (memory_id uuid, before jsonb, after jsonb)
    on conflict do nothing`.execute(tx);
}

/** Memories that a change has changed and no undo has reached. */
export async function listBulkChangeItems(
  db: Db,
  accountId: string,
  changeId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ memory_id: string }>`
    select memory_id from bulk_change_items
    where account_id = ${accountId}::uuid and change_id = ${changeId}::uuid
    order by memory_id limit ${limit}::int`.execute(db);
  return rows.map(({ memory_id }) => memory_id);
}

/** Deletes the items of these memories and returns them. */
export async function takeBulkChangeItems(
  tx: Tx,
  accountId: string,
  changeId: string,
  memoryIds: readonly string[],
): Promise<BulkChangeItem[]> {
  const { rows } = await sql<BulkChangeItem>`
    delete from bulk_change_items
    where account_id = ${accountId}::uuid and change_id = ${changeId}::uuid
      and memory_id = any(${memoryIds}::uuid[])
    returning memory_id, before, after`.execute(tx);
  return rows;
}

interface Pruning {
  /** Older changes cannot be undone any more: their items go, unless they are in progress. */
  readonly undoable: Date;
  /** Older changes go altogether, also those that a crash has left in progress. */
  readonly known: Date;
  readonly limit: number;
}

/** Deletes some rows of old changes of all accounts; returns how many. */
export async function pruneBulkChangeRows(
  db: Db,
  { undoable, known, limit }: Pruning,
): Promise<number> {
  const all = acrossAvailableAccounts(db, 'old bulk changes expire');
  const items = await sql`
    delete from bulk_change_items where (account_id, change_id, memory_id) in (
      select i.account_id, i.change_id, i.memory_id from bulk_changes c
      join bulk_change_items i on i.account_id = c.account_id and i.change_id = c.id
      where c.created_at < ${undoable}::timestamptz
        and (c.status not in ('queued', 'running', 'undoing')
          or c.created_at < ${known}::timestamptz)
      limit ${limit}::int)`.execute(all);
  if ((items.numAffectedRows ?? 0n) > 0n) return Number(items.numAffectedRows);
  const changes = await sql`
    delete from bulk_changes where (account_id, id) in (
      select account_id, id from bulk_changes
      where created_at < ${known}::timestamptz limit ${limit}::int)`.execute(all);
  return Number(changes.numAffectedRows ?? 0n);
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
