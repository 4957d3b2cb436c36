import { type RawBuilder, sql } from 'kysely';
import {
  acrossAccounts,
  acrossAvailableAccounts,
  type Db,
  type Tx,
} from '../../../database/index.ts';

export interface SegmentRow {
  readonly id: string;
  readonly position: number;
  readonly created_at: Date;
}

/** A file of a segment. */
export interface SegmentRef {
  readonly accountId: string;
  readonly id: string;
}

/** Segments that an index of this model may start from, the newest first. */
export async function findUsableSegments(
  db: Db,
  accountId: string,
  model: string,
): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`
    select s.id, s.position, s.created_at
    from index_segments s join account_positions p on p.account_id = s.account_id
    where s.account_id = ${accountId}::uuid and s.model = ${model}
      and s.position between p.compaction_cursor and p.index_position
    order by s.position desc, s.id`.execute(db);
  return rows;
}

/**
 * Adds a segment, before its file gets its name. False if it must not be used: the account has
 * another model or is gone, or something was erased after the position.
 * @param tx has locked the account's position
 */
export async function insertSegment(
  tx: Tx,
  { accountId, id }: SegmentRef,
  { model, position, now }: { model: string; position: number; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into index_segments (account_id, id, model, position, created_at, used_at)
    select account_id, ${id}::uuid, ${model}, ${position}::bigint, ${now}::timestamptz,
      ${now}::timestamptz
    from account_positions
    where account_id = ${accountId}::uuid and model = ${model}
      and compaction_cursor <= ${position}::bigint and index_position >= ${position}::bigint
      and not exists (
        select from documents where account_id = ${accountId}::uuid
          and position > ${position}::bigint and deleted_at is not null)`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Whether nothing that the segment `s` has was erased since its position, and the account, `p`,
 * still uses its model.
 * @param account of the segment
 * @param erased a condition on the tombstones `d`: which of them count
 */
const isValidSegment = (
  account: RawBuilder<unknown>,
  erased: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`
  coalesce(p.model = s.model and p.compaction_cursor <= s.position
    and p.index_position >= s.position, false)
  and not exists (
    select from documents d where d.account_id = ${account}
      and d.position > s.position and d.deleted_at is not null and ${erased})`;

const anything = sql`true`;

interface RegisteredSegment extends SegmentRef {
  readonly position: number;
  readonly isValid: boolean;
}

/** Of these segments those that are registered. */
export async function findRegisteredSegments(
  db: Db,
  segments: readonly SegmentRef[],
): Promise<RegisteredSegment[]> {
  const accountIds = segments.map(({ accountId }) => accountId);
  const ids = segments.map(({ id }) => id);
  const { rows } = await sql<RegisteredSegment>`
    select s.account_id as "accountId", s.id, s.position,
      ${isValidSegment(sql`s.account_id`, anything)} as "isValid"
    from index_segments s left join account_positions p on p.account_id = s.account_id
    where s.account_id = any(${accountIds}::uuid[]) and s.id = any(${ids}::uuid[])`.execute(
    acrossAccounts(db, 'a process checks all files of its folder'),
  );
  return rows;
}

/**
 * The segments of an account, of all processes, the newest first.
 * @param erasedId a document whose erasure alone makes a segment invalid; null: any erasure does
 */
export async function listSegmentsOf(
  db: Db,
  accountId: string,
  erasedId: string | null,
): Promise<{ id: string; created_at: Date; isValid: boolean }[]> {
  const erased = erasedId === null ? anything : sql`d.id = ${erasedId}::uuid`;
  const { rows } = await sql<{ id: string; created_at: Date; isValid: boolean }>`
    select s.id, s.created_at, ${isValidSegment(sql`${accountId}::uuid`, erased)} as "isValid"
    from index_segments s left join account_positions p on p.account_id = s.account_id
    where s.account_id = ${accountId}::uuid
    order by s.created_at desc, s.id`.execute(db);
  return rows;
}

export async function deleteSegments(db: Db, segments: readonly SegmentRef[]): Promise<void> {
  if (segments.length === 0) return;
  const accountIds = segments.map(({ accountId }) => accountId);
  const ids = segments.map(({ id }) => id);
  await sql`delete from index_segments
    where account_id = any(${accountIds}::uuid[]) and id = any(${ids}::uuid[])`.execute(
    acrossAccounts(db, 'a process removes files of its folder'),
  );
}

/** Records that this process has the files. */
export async function touchSegments(
  db: Db,
  segments: readonly SegmentRef[],
  { now, ifBefore }: { readonly now: Date; readonly ifBefore: Date },
): Promise<void> {
  if (segments.length === 0) return;
  const accountIds = segments.map(({ accountId }) => accountId);
  const ids = segments.map(({ id }) => id);
  await sql`update index_segments set used_at = ${now}::timestamptz
    where account_id = any(${accountIds}::uuid[]) and id = any(${ids}::uuid[])
      and used_at < ${ifBefore}::timestamptz`.execute(
    acrossAccounts(db, 'a process uses all files of its folder'),
  );
}

/**
 * How many of these documents have changed after a position. Those that are gone have: all of them
 * count if tombstones of later changes were pruned.
 */
export async function countChangedSince(
  db: Db,
  accountId: string,
  position: number,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number; has_pruned: boolean }>`
    select count(*)::int as count, exists (
      select from account_positions
      where account_id = ${accountId}::uuid and compaction_cursor > ${position}::bigint
    ) as has_pruned
    from documents
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and position > ${position}::bigint`.execute(db);
  const [row] = rows;
  return row?.has_pruned ? ids.length : (row?.count ?? 0);
}

/** All segments of an account. */
export async function deleteSegmentsOf(db: Db, accountId: string): Promise<void> {
  await sql`delete from index_segments where account_id = ${accountId}::uuid`.execute(db);
}

/** Segments whose files no process has had for long. */
export async function deleteUnusedSegments(db: Db, before: Date): Promise<void> {
  await sql`delete from index_segments where used_at < ${before}::timestamptz`.execute(
    acrossAvailableAccounts(db, 'unused segments expire'),
  );
}

/** Where a page of salience values ends. */
interface SaliencePage {
  readonly rows: readonly { id: string; salience: number; salience_at: Date }[];
  readonly next: string | null;
}

const salienceRows = 5_000;

/** Values that were written after a moment, in the order of ids. They have no position. */
export async function readSalienceSince(
  db: Db,
  accountId: string,
  since: Date,
  after: string | null,
): Promise<SaliencePage> {
  const { rows } = await sql<{ id: string; salience: number | null; salience_at: Date | null }>`
    select id, case when salience_at > ${since}::timestamptz then salience end as salience,
      salience_at
    from documents
    where account_id = ${accountId}::uuid and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${salienceRows}::int`.execute(db);
  return {
    rows: rows.flatMap(({ id, salience, salience_at }) =>
      salience === null || salience_at === null ? [] : [{ id, salience, salience_at }],
    ),
    next: rows.length < salienceRows ? null : (rows.at(-1)?.id ?? null),
  };
}
