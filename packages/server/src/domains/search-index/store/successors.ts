import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import type { PositionedWrite } from '../../../events/journal.ts';
import type { MemoryVisibility } from '../../ctx.ts';
import type { FactsEnd, Successors } from '../model.ts';

/** What outdates a document, directly. */
export interface SupersededDocument {
  readonly id: string;
  readonly supersededBy: readonly string[];
  /** What says that its facts have ended. */
  readonly factsEndedBy: readonly string[];
}

/** Further conditions on the columns space_id and user_id, of memories and of documents. */
export const andVisible = ({ spaces, user }: MemoryVisibility): RawBuilder<unknown> => sql`
  ${spaces === null ? sql`` : sql`and coalesce(space_id::text, 'default') = any(${spaces}::text[])`}
  ${user === null ? sql`` : sql`and user_id = ${user}`}`;

/** Live documents that are visible. */
const isVisible = (visible: MemoryVisibility): RawBuilder<boolean> => sql`
  deleted_at is null and not hidden ${andVisible(visible)}`;

/** What says that the facts of a document have ended by a moment; without one, nothing. */
const endedByIds = (document: string, now: Date | null): RawBuilder<string[]> => {
  if (now === null) return sql`'{}'::uuid[]`;
  const column = (name: string): RawBuilder<unknown> => sql.raw(`${document}.${name}`);
  return sql`case when ${column('facts_ended_at')} <= ${now}::timestamptz
    then ${column('facts_ended_by')} else '{}'::uuid[] end`;
};

/** The columns `outdated_id` and `outdated_at` of `outdatedDocuments`. */
interface OutdatedDocument {
  readonly outdated_id: string;
  /** When the document was created. */
  readonly outdated_at: Date;
}

/**
 * The documents that a visible document outdates, for statements of other stores. They are few, and
 * found by an index of their own, in the order of their creation.
 * @param now when the facts of a document must have ended
 */
export const outdatedDocuments = (
  accountId: string,
  visible: MemoryVisibility,
  now: Date,
): RawBuilder<OutdatedDocument> => sql<OutdatedDocument>`(
  select id as outdated_id, created_at as outdated_at from documents as older
  where account_id = ${accountId}::uuid
    -- As the index documents_outdated has it.
    and (superseded_by <> '{}' or facts_ended_at is not null)
    and ${hasVisibleSuccessor(accountId, visible, now)}
)`;

/**
 * Whether no visible document outdates that of an id. Not by `not exists`: for a page, PostgreSQL
 * would compare each memory with all documents that are outdated.
 * @param id a column of the statement
 */
export const isNotOutdatedCondition = (
  accountId: string,
  visible: MemoryVisibility,
  id: RawBuilder<unknown>,
  now: Date,
): RawBuilder<boolean> => sql<boolean>`coalesce((
  select not ${hasVisibleSuccessor(accountId, visible, now)} from documents as older
  where account_id = ${accountId}::uuid and id = ${id}
), true)`;

/** Whether a visible document outdates the document `older` of the statement. */
const hasVisibleSuccessor = (
  accountId: string,
  visible: MemoryVisibility,
  now: Date,
): RawBuilder<boolean> => sql`exists (
  select from unnest(older.superseded_by || ${endedByIds('older', now)}) as link (id)
  cross join lateral (
    select superseded_by from documents
    where account_id = ${accountId}::uuid and id = link.id and ${isVisible(visible)} limit 1
  ) as newer
  -- Facts do not outweigh that it supersedes the other one.
  where link.id = any(older.superseded_by) or older.id <> all(newer.superseded_by)
)`;

/**
 * Whether something is stored that outdates the document of an id, now or later. A statement that
 * reads memories anyway finds out at once, so that only few of them need `listSuccessors`. Not by
 * `exists`: for a page of a large table PostgreSQL would read all documents once instead.
 * @param id a column of the statement
 */
export const mayBeOutdatedCondition = (
  accountId: string,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`coalesce((
  select superseded_by <> '{}' or facts_ended_at is not null from documents
  where account_id = ${accountId}::uuid and id = ${id}
), false)`;

interface ReachedDocument {
  readonly id: string;
  readonly superseded_by: string[];
  readonly ended_by: string[];
  readonly is_successor: boolean;
}

/**
 * These documents as far as they are outdated, and all visible live documents that outdate them,
 * over any number of steps.
 * @param now facts of a document that have ended by then count, too; null: they do not
 */
export async function listSuccessors(
  db: Db,
  accountId: string,
  ids: readonly string[],
  visible: MemoryVisibility,
  now: Date | null,
): Promise<{ superseded: SupersededDocument[]; successors: SupersededDocument[] }> {
  const endedBy = endedByIds('documents', now);
  const { rows } = await sql<ReachedDocument>`
    with recursive reached (id, superseded_by, ended_by, is_successor) as (
      select id, superseded_by, ${endedBy}, false from documents
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
        and superseded_by || ${endedBy} <> '{}'
      union
      select newer.id, newer.superseded_by, newer.ended_by, true
      from reached
      cross join lateral unnest(reached.superseded_by || reached.ended_by) as link (id)
      cross join lateral (
        -- One by one, by its key: without statistics a join reads the whole account.
        select id, superseded_by, ${endedBy} as ended_by from documents
        where account_id = ${accountId}::uuid and id = link.id and ${isVisible(visible)}
        limit 1
      ) as newer
    )
    select id, superseded_by, ended_by, is_successor from reached`.execute(db);
  const listed = (isSuccessor: boolean): SupersededDocument[] =>
    rows
      .filter((row) => row.is_successor === isSuccessor)
      .map(({ id, superseded_by, ended_by }) => ({
        id,
        supersededBy: superseded_by,
        factsEndedBy: ended_by,
      }));
  return { superseded: listed(false), successors: listed(true) };
}

/** What supersedes these documents, as it is stored; whether that is live or not. */
export async function readSuccessors(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'superseded_by'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, superseded_by }) => [id, superseded_by]));
}

/** What probably supersedes these documents, as it is stored; without those that nothing does. */
export async function readLikelySuccessors(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'likely_superseded_by'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(sql<boolean>`likely_superseded_by <> '{}'`)
    .execute();
  return new Map(rows.map(({ id, likely_superseded_by }) => [id, likely_superseded_by]));
}

/** Since when the facts of these documents have ended, as it is stored; null: they have not. */
export async function readFactsEnds(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, FactsEnd | null>> {
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'facts_ended_at', 'facts_ended_by'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ id, facts_ended_at: at, facts_ended_by: by }) => [
      id,
      at && { at: at.getTime(), by },
    ]),
  );
}

/** Changes what supersedes documents. */
export function updateSuccessors(
  accountId: string,
  documents: readonly Successors[],
): PositionedWrite {
  const json = JSON.stringify(
    documents.map(({ id, supersededBy: u, likelySupersededBy: l, factsEnd }) => ({
      i: id,
      u,
      l,
      k: factsEnd !== undefined,
      t: factsEnd && new Date(factsEnd.at),
      b: factsEnd?.by ?? [],
    })),
  );
  return (place) => [
    sql`
      update documents set superseded_by = coalesce(u, superseded_by),
        likely_superseded_by = coalesce(l, likely_superseded_by),
        facts_ended_at = case when k then t else facts_ended_at end,
        facts_ended_by = case when k then b else facts_ended_by end,
        position = ${place.position}
      from json_to_recordset(${json}::json) as row
        (i uuid, u uuid[], l uuid[], k boolean, t timestamptz, b uuid[])
      where account_id = ${accountId}::uuid and id = i`,
  ];
}

/** Before another write of the transaction gives the documents a position. */
export async function writeFactsEnds(
  tx: Tx,
  accountId: string,
  ends: ReadonlyMap<string, FactsEnd | null>,
): Promise<void> {
  const rows = [...ends].map(([i, end]) => ({
    i,
    t: end && new Date(end.at),
    b: end?.by ?? [],
  }));
  await sql`
    update documents set facts_ended_at = t, facts_ended_by = b
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (i uuid, t timestamptz, b uuid[])
    where account_id = ${accountId}::uuid and id = i`.execute(tx);
}

/** Those of these documents that are no tombstones. */
export async function filterLiveDocuments(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
