import { type RawBuilder, sql } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  insertRows,
  type RowColumn,
  recordset,
  type Tx,
} from '../../../database/index.ts';
import type { Place, PositionedWrite } from '../../../events/journal.ts';
import type { DocumentRow } from '../account/document-row.ts';
import { hasSeveralPassages } from '../analysis.ts';
import { type DocumentAttributes, type DocumentContent, quantiseVector } from '../model.ts';
import {
  attribute,
  changeableColumns,
  type NewVector,
  nextModelColumn,
  vectorColumns,
} from './columns.ts';

export interface NewDocument extends DocumentAttributes {
  readonly content: DocumentContent;
}

const documentColumns: readonly RowColumn<NewDocument>[] = [
  ...changeableColumns,
  attribute('kind', 'text', 'kind'),
  attribute('content_type', 'text', 'contentType'),
  attribute('occurred_at', 'timestamptz', 'occurredAt'),
  attribute('created_at', 'timestamptz', 'createdAt'),
  { name: 'terms', type: 'text', value: ({ content }) => content.terms },
];

/** Adds documents or replaces their terms and vectors. The last of their models is the next one. */
export function upsertDocuments(
  accountId: string,
  documents: readonly NewDocument[],
): PositionedWrite {
  return (place) => [
    upsertTerms(accountId, documents, place),
    ...upsertVectors(accountId, documents, place),
  ];
}

/** Only memories get vectors of their passages: segments of recordings are short. */
const isSplitIntoPassages = ({ kind, content }: NewDocument): boolean =>
  kind === 'memory' && hasSeveralPassages(content.terms);

const upsertTerms = (
  accountId: string,
  documents: readonly NewDocument[],
  { position, allocated }: Place,
): RawBuilder<unknown> => {
  const columns = [...documentColumns, { name: 'position', expression: position }];
  return sql`
    ${insertRows('documents', accountId, columns, documents, { requiresAccount: !allocated })}
    on conflict (account_id, id) do update set
      kind = excluded.kind, content_type = excluded.content_type,
      occurred_at = excluded.occurred_at, created_at = excluded.created_at,
      space_id = excluded.space_id, user_id = excluded.user_id,
      agent_id = excluded.agent_id, run_id = excluded.run_id, session_id = excluded.session_id,
      session_ordinal = excluded.session_ordinal, speaker = excluded.speaker,
      role = excluded.role, tags = excluded.tags,
      priority = excluded.priority, salience = excluded.salience,
      salience_at = excluded.salience_at, pinned = excluded.pinned,
      hidden = excluded.hidden, terms = excluded.terms, deleted_at = null,
      position = excluded.position`;
};

/** No statement if the account needs none of the vectors. */
function upsertVectors(
  accountId: string,
  documents: readonly NewDocument[],
  { position, model, allocated }: Place,
): RawBuilder<unknown>[] {
  const all = documents.flatMap(toNewVectors);
  // Changed meanwhile to the one that it was embedded ahead for: the former one is over.
  const rows = allocated
    ? all.filter((own) => own.model === allocated.model || own.nextModel !== allocated.model)
    : all;
  if (rows.length === 0) return [];
  const positionColumn: RowColumn<NewVector> = {
    name: 'position',
    type: 'boolean',
    value: ({ isProvisional, lacksPassages }) => isProvisional || lacksPassages,
    stored: (isWaiting) => sql`case when ${isWaiting} then ${position} end`,
  };
  const columns = [...vectorColumns, positionColumn];
  const condition = sql`given.model = ${model} or ${model} is distinct from given.next_model`;
  const options = allocated ? {} : { filter: { columns: [nextModelColumn], condition } };
  return [
    sql`
      ${insertRows('vectors', accountId, columns, rows, options)}
      on conflict (account_id, document_id, model) do update set
        dimensions = excluded.dimensions, vector = excluded.vector,
        is_provisional = excluded.is_provisional, position = excluded.position,
        passages = null, lacks_passages = excluded.lacks_passages`,
  ];
}

const toNewVectors = (document: NewDocument): NewVector[] =>
  document.content.vectors.map(({ model, vector, isProvisional }) => ({
    documentId: document.id,
    model,
    vector: new Uint8Array(quantiseVector(vector).buffer),
    isProvisional,
    lacksPassages: isSplitIntoPassages(document),
    nextModel: document.content.models.at(-1) ?? null,
  }));

/** After a new analysis: vectors that stay are of the same text, but maybe of other passages. */
export function resetPassages(
  accountId: string,
  documents: readonly NewDocument[],
): PositionedWrite {
  const json = JSON.stringify(
    documents.map((document) => ({
      i: document.id,
      j: isSplitIntoPassages(document),
      m: document.content.vectors.map(({ model }) => model),
    })),
  );
  const ids = documents.map(({ id }) => id);
  return () => [
    sql`
      update vectors set passages = null, lacks_passages = j
      from json_to_recordset(${json}::json) as row (i uuid, j boolean, m text[])
      where account_id = ${accountId}::uuid and document_id = any(${ids}::uuid[])
        and document_id = i and model <> all(m)
        and (lacks_passages or passages is not null or j)`,
  ];
}

/** After new content: remaining vectors of other models belong to the old content. */
export function deleteStaleVectors({ accountId, id, content }: NewDocument): PositionedWrite {
  const models = content.vectors.map(({ model }) => model);
  return () => [
    sql`
      delete from vectors
      where account_id = ${accountId}::uuid and document_id = ${id}::uuid
        and model <> all(${models}::text[])`,
  ];
}

/** Changes only the filterable fields. */
export function updateDocumentAttributes(
  accountId: string,
  documents: readonly DocumentAttributes[],
): PositionedWrite {
  return (place) => [
    sql`
      update documents set
        space_id = given.space_id, user_id = given.user_id, agent_id = given.agent_id,
        run_id = given.run_id, session_id = given.session_id,
        session_ordinal = given.session_ordinal, speaker = given.speaker, role = given.role,
        tags = given.tags, priority = given.priority, salience = given.salience,
        salience_at = given.salience_at, pinned = given.pinned, hidden = given.hidden,
        position = ${place.position}
      -- By the limit a plan for any account expects few rows, and does not scan all documents.
      from (
        select * from ${recordset(changeableColumns, documents)} limit ${documents.length}::int
      ) as given
      where account_id = ${accountId}::uuid and documents.id = given.id`,
  ];
}

/** Before another write of the transaction gives the documents a position. */
export async function clearLikelySuccessors(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update documents set likely_superseded_by = '{}'
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and likely_superseded_by <> '{}'`.execute(tx);
}

/** Removes documents from the index; a tombstone without content informs every process. */
export function writeTombstones(
  accountId: string,
  ids: readonly string[],
  now: Date,
): PositionedWrite {
  return (place) => [
    sql`
      update documents set terms = null, tags = '{}', speaker = null, user_id = null,
        agent_id = null, run_id = null, deleted_at = ${now}::timestamptz,
        position = ${place.position}
      where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`,
    sql`
      delete from vectors
      where account_id = ${accountId}::uuid and document_id = any(${ids}::uuid[])`,
  ];
}

/**
 * Assigns no position: salience only adjusts the ranking, and other processes need not reload it.
 */
export async function setSalience(
  db: Db,
  accountId: string,
  values: readonly { id: string; salience: number }[],
  now: Date,
): Promise<void> {
  const json = JSON.stringify(values.map(({ id, salience }) => ({ i: id, s: salience })));
  await sql`
    update documents set salience = value.s, salience_at = ${now}::timestamptz
    from json_to_recordset(${json}::json) as value (i uuid, s real)
    where account_id = ${accountId}::uuid and id = value.i
  `.execute(db);
}

/** Stored vectors of documents by the account's own model. */
export interface StoredVectors {
  /** Null: the account has no model yet. */
  readonly model: string | null;
  readonly vectors: ReadonlyMap<string, Int8Array>;
}

export async function readVectors(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<StoredVectors> {
  const { rows } = await sql<{ id: string | null; model: string | null; vector: Uint8Array }>`
    select s.model, v.document_id as id, v.vector from account_positions s
    left join vectors v on v.account_id = s.account_id and v.model = s.model
      and v.document_id = any(${ids}::uuid[])
    where s.account_id = ${accountId}::uuid`.execute(db);
  const vectors = new Map<string, Int8Array>();
  for (const { id, vector } of rows) {
    if (id === null) continue;
    vectors.set(id, new Int8Array(vector.buffer, vector.byteOffset, vector.length));
  }
  return { model: rows[0]?.model ?? null, vectors };
}

export interface IndexPosition {
  readonly index_position: number;
  readonly compaction_cursor: number;
  readonly model: string | null;
}

export async function readIndexPosition(
  db: Db,
  accountId: string,
): Promise<IndexPosition | undefined> {
  const { rows } = await sql<IndexPosition>`
    select index_position, compaction_cursor, model from account_positions
    where account_id = ${accountId}::uuid`.execute(db);
  return rows[0];
}

/** With the revision of the scale of its model; 0: none. A distributed database plans it anew. */
export async function readScaledIndexPosition(
  db: Db,
  accountId: string,
): Promise<(IndexPosition & { readonly scale_revision: number }) | undefined> {
  const { rows } = await sql<IndexPosition & { scale_revision: number }>`
    select index_position, compaction_cursor, model, coalesce((
      select scale_revision from embedding_models where model = account_positions.model
    ), 0) as scale_revision
    from account_positions where account_id = ${accountId}::uuid`.execute(db);
  return rows[0];
}

/** Where a page of changes ends. */
interface ChangeCursor {
  readonly position: number;
  readonly id: string;
}

interface ChangesPage {
  readonly rows: readonly DocumentRow[];
  /** Start of the next page; null: there is none. */
  readonly next: ChangeCursor | null;
}

/** Where reading changes begins if the position has been read completely: after every id. */
export const startAfter = (position: number): ChangeCursor => ({
  position,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
});

/**
 * Documents changed after a position, in the order of their changes: at most `rows`, and at most
 * `bytes` of terms except for the last.
 */
export async function readDocumentChanges(
  db: Db,
  accountId: string,
  after: ChangeCursor,
  model: string,
  limits: { readonly rows: number; readonly bytes: number },
): Promise<ChangesPage> {
  // First the page, then each vector by its full key: without fresh statistics a join of both
  // tables is planned as a nested loop over the account.
  const { rows: page } = await sql<DocumentRow & { bytes_to_here: number }>`
    with page as materialized (
      select id, kind, space_id, user_id, agent_id, run_id, session_id, session_ordinal, speaker,
        role, content_type, tags,
        priority, salience, salience_at,
        pinned, occurred_at, created_at, superseded_by, likely_superseded_by,
        facts_ended_at, facts_ended_by, position,
        case when hidden then null else terms end as terms
      from documents
      where account_id = ${accountId}::uuid
        and (position, id) > (${after.position}::bigint, ${after.id}::uuid)
      order by position, id
      limit ${limits.rows}::int
    ), sized as (
      select page.*, coalesce(octet_length(terms), 0) as bytes,
        sum(coalesce(octet_length(terms), 0)) over (order by position, id)::bigint as bytes_to_here
      from page
    )
    select sized.*, own.vector, own.passages
    from sized left join lateral (
      select vector, passages from vectors
      where account_id = ${accountId}::uuid and document_id = sized.id and model = ${model}
      limit 1
    ) own on true
    where bytes_to_here - bytes < ${limits.bytes}::bigint order by position, id
  `.execute(db);
  const last = page.at(-1);
  const isFull = page.length === limits.rows || (last?.bytes_to_here ?? 0) >= limits.bytes;
  return { rows: page, next: last && isFull ? last : null };
}

/**
 * Deletes some tombstones; an index that has not seen them must be reloaded. True if there may be
 * more.
 */
export async function pruneTombstones(
  tx: Tx,
  accountId: string,
  before: Date,
  limit: number,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from documents where account_id = ${accountId}::uuid and id in (
        select id from documents
        where account_id = ${accountId}::uuid and deleted_at < ${before}::timestamptz
        limit ${limit}::int
      )
      returning position
    ), told as (
      update account_positions set compaction_cursor = greatest(compaction_cursor, (select
        max(position) from gone))
      where account_id = ${accountId}::uuid and exists (select from gone)
    )
    select count(*) as count from gone
  `.execute(tx);
  return rows[0]?.count === limit;
}

export async function accountsWithTombstones(db: Db, before: Date): Promise<string[]> {
  const rows = await acrossAvailableAccounts(db, 'a job deletes old tombstones')
    .selectFrom('documents')
    .select('account_id')
    .distinct()
    .where('deleted_at', '<', before)
    .execute();
  return rows.map((row) => row.account_id);
}

export async function deleteDocumentBatch(
  db: Db,
  accountId: string,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with page as materialized (
      select id from documents where account_id = ${accountId}::uuid limit ${limit}::int
    ), vectorless as (
      delete from vectors
      where account_id = ${accountId}::uuid and document_id in (select id from page)
    )
    delete from documents
    where account_id = ${accountId}::uuid and id in (select id from page)`.execute(db);
  return Number(numAffectedRows ?? 0n) === limit;
}
