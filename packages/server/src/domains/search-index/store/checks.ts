import { sql } from 'kysely';
import type { Db } from '../../../database/index.ts';
import type { DocumentAttributes } from '../model.ts';

interface DocumentColumns {
  readonly id: string;
  readonly kind: DocumentAttributes['kind'];
  readonly space_id: string | null;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly session_id: string | null;
  readonly session_ordinal: number | null;
  readonly speaker: string | null;
  readonly role: string | null;
  readonly content_type: string;
  readonly tags: string[];
  readonly priority: number;
  readonly pinned: boolean;
  readonly occurred_at: Date | null;
  readonly created_at: Date;
  readonly hidden: boolean;
  readonly terms: string | null;
  readonly is_deleted: boolean;
  readonly vectors: VectorInfo[];
}

/** A vector's metadata without its numbers. */
export interface VectorInfo {
  readonly model: string;
  readonly dimensions: number;
  readonly bytes: number;
  /** Of the vectors of passages; null: there are none. */
  readonly passage_bytes: number | null;
}

/** The attributes that follow from the memory alone; salience changes often and is copied later. */
export type AttributesWithoutSalience = Omit<DocumentAttributes, 'salience' | 'salienceAt'>;

/** A document as stored in the table. */
export interface StoredDocument {
  readonly attributes: AttributesWithoutSalience;
  readonly terms: string | null;
  /** Only the tombstone is left. */
  readonly isTombstone: boolean;
  readonly vectors: readonly VectorInfo[];
}

/** Documents of an account by id. */
export async function readDocuments(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const { rows } = await sql<DocumentColumns>`
    select id, kind, space_id, user_id, agent_id, run_id, session_id, session_ordinal, speaker,
      role, content_type, tags,
      priority, pinned, occurred_at, created_at, hidden, terms, deleted_at is not null as
      is_deleted,
      coalesce((
        select json_agg(json_build_object(
          'model', model, 'dimensions', dimensions, 'bytes', length(vector),
          'passage_bytes', length(passages)))
        from vectors where account_id = ${accountId}::uuid and document_id = documents.id
      ), '[]') as vectors
    from documents where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, toStoredDocument(accountId, row)]));
}

const toStoredDocument = (accountId: string, row: DocumentColumns): StoredDocument => ({
  attributes: {
    accountId,
    id: row.id,
    kind: row.kind,
    spaceId: row.space_id,
    userId: row.user_id,
    agentId: row.agent_id,
    runId: row.run_id,
    sessionId: row.session_id,
    sessionOrdinal: row.session_ordinal,
    speaker: row.speaker,
    role: row.role,
    contentType: row.content_type,
    tags: row.tags,
    priority: row.priority,
    pinned: row.pinned,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    hidden: row.hidden,
  },
  terms: row.terms,
  isTombstone: row.is_deleted,
  vectors: row.vectors,
});

/** Live documents of one kind, in the order of ids. */
export async function liveDocumentIds(
  db: Db,
  accountId: string,
  kind: DocumentAttributes['kind'],
  after: string | null,
  limit: number,
): Promise<string[]> {
  let query = db
    .selectFrom('documents')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null);
  if (after !== null) query = query.where('id', '>', after);
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

/** Tombstones that still have content, in the order of ids. */
export async function findNonEmptyTombstones(
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from documents
    where account_id = ${accountId}::uuid and deleted_at is not null
      and (${after}::uuid is null or id > ${after}::uuid)
      and (terms is not null or exists (select from vectors
        where account_id = ${accountId}::uuid and document_id = documents.id))
    order by id limit ${limit}::int
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The account's recorded position and the highest position of its rows. */
export async function readIndexProgress(
  db: Db,
  accountId: string,
): Promise<{
  position: number;
  index_position: number;
  compaction_cursor: number;
  last_document: number;
} | null> {
  const { rows } = await sql<{
    position: number;
    index_position: number;
    compaction_cursor: number;
    last_document: number;
  }>`
    select position, index_position, compaction_cursor, coalesce((
      select max(position) from documents where account_id = ${accountId}::uuid), 0)
      as last_document
    from account_positions where account_id = ${accountId}::uuid
  `.execute(db);
  return rows[0] ?? null;
}
