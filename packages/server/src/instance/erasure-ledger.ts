import type { ErasureKind } from '@mneme/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../database/index.ts';
import type { Clock } from '../kernel/clock.ts';

/** A row of the ledger: the id and time of a permanent erasure, without content. */
export interface Erasure {
  readonly kind: ErasureKind;
  readonly id: string;
  readonly accountId: string;
  readonly erasedAt: Date;
}

/** The end of a page of the ledger, which is ordered by time. */
export type ErasureCursor = Pick<Erasure, 'erasedAt' | 'kind' | 'id'>;

/**
 * Call it in the transaction that erases, or that hides data which a job erases later. A repeated
 * erasure, such as the replay after a restore, does not change the time of the first one.
 */
export async function recordErasures(
  { tx, actor, clock }: { tx: Tx; actor: { accountId: string }; clock: Clock },
  kind: ErasureKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into erasures (kind, id, account_id, erased_at)
    select ${kind}, id, ${actor.accountId}::uuid, ${clock.now()}::timestamptz
    from unnest(${ids}::uuid[]) as id
    on conflict do nothing`.execute(tx);
}

/** Inserts rows of another copy of the ledger; existing rows do not change. */
export async function insertErasures(db: Db, rows: readonly Erasure[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('erasures')
    .values(
      rows.map(({ kind, id, accountId, erasedAt }) => ({
        kind,
        id,
        account_id: accountId,
        erased_at: erasedAt,
      })),
    )
    .onConflict((on) => on.doNothing())
    .execute();
}

const columns = ['kind', 'id', 'account_id as accountId', 'erased_at as erasedAt'] as const;

const cursorTuple = ({ erasedAt, kind, id }: ErasureCursor) =>
  sql`(${erasedAt}::timestamptz, ${kind}::text, ${id}::uuid)`;
const ledgerOrder = sql`(erased_at, kind, id)`;

/** Newest first. */
export function listErasureRows(
  db: Db,
  page: {
    readonly accountId: string | undefined;
    readonly before: ErasureCursor | null;
    readonly limit: number;
  },
): Promise<Erasure[]> {
  let query = db.selectFrom('erasures').select(columns);
  if (page.accountId !== undefined) query = query.where('account_id', '=', page.accountId);
  if (page.before !== null)
    query = query.where(sql<boolean>`${ledgerOrder} < ${cursorTuple(page.before)}`);
  return query
    .orderBy('erased_at', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .$castTo<Erasure>()
    .execute();
}

/** Yields the erasures since a time in pages, oldest first. */
export async function* readErasuresSince(
  db: Db,
  since: Date,
  pageRows: number,
): AsyncGenerator<Erasure[]> {
  for (let after: ErasureCursor | null = null; ; ) {
    let query = db.selectFrom('erasures').select(columns).where('erased_at', '>=', since);
    if (after !== null) query = query.where(sql<boolean>`${ledgerOrder} > ${cursorTuple(after)}`);
    const rows: Erasure[] = await query
      .orderBy('erased_at')
      .orderBy('kind')
      .orderBy('id')
      .limit(pageRows)
      .$castTo<Erasure>()
      .execute();
    if (rows.length > 0) yield rows;
    after = rows.at(-1) ?? null;
    if (rows.length < pageRows) return;
  }
}

/**
 * The next erasures of one account whose content may still be in events, deliveries, stored
 * responses and mails.
 */
export async function findErasuresWithContent(db: Db, limit: number): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('erasures')
    .select(columns)
    .where('content_removed_at', 'is', null)
    .orderBy('account_id')
    .orderBy('erased_at')
    .limit(limit)
    .$castTo<Erasure>()
    .execute();
  return rows.filter(({ accountId }) => accountId === rows[0]?.accountId);
}

export async function markErasedContentRemoved(
  tx: Tx,
  rows: readonly Erasure[],
  now: Date,
): Promise<void> {
  const json = JSON.stringify(rows.map(({ kind, id }) => ({ kind, id })));
  await sql`
    update erasures set content_removed_at = ${now}::timestamptz
    from json_to_recordset(${json}::json) as done (kind text, id uuid)
    where erasures.kind = done.kind and erasures.id = done.id`.execute(tx);
}

export async function countErasuresSince(db: Db, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('erasures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('erased_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The rows that are missing in the ledger. */
export async function findMissingErasures(db: Db, rows: readonly Erasure[]): Promise<Erasure[]> {
  if (rows.length === 0) return [];
  const json = JSON.stringify(rows.map(({ kind, id }) => ({ kind, id })));
  const { rows: present } = await sql<{ key: string }>`
    select kind || ' ' || id as key from erasures
    join json_to_recordset(${json}::json) as asked (kind text, id uuid) using (kind, id)
    `.execute(db);
  const presentKeys = new Set(present.map(({ key }) => key));
  return rows.filter((row) => !presentKeys.has(erasureKey(row)));
}

/** Which of these ids the ledger has. */
export async function filterErased(
  db: Db,
  kind: ErasureKind,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('erasures')
    .select('id')
    .where('kind', '=', kind)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** A unique key of a row. */
export const erasureKey = ({ kind, id }: Pick<Erasure, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Deletes rows from before a time; returns how many. */
export async function pruneErasures(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from erasures where (kind, id) in (
      select kind, id from erasures where erased_at < ${before}::timestamptz
      order by erased_at limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
