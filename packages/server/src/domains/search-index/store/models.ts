import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { acrossAccounts, type Db, type Tx } from '../../../database/index.ts';
import type { StoredEmbeddingSettings } from '../../../providers/embedding/index.ts';
import type { ModelScale } from '../scale/model-scale.ts';
import { type EncodedDocument, encodedJson } from './provisional-vectors.ts';
import { deleteSegmentsOf } from './segments.ts';

export interface EmbeddingModelRecord {
  readonly model: string;
  readonly dimensions: number;
  readonly settings: StoredEmbeddingSettings | null;
}

export async function findEmbeddingModel(
  db: Db,
  model: string,
): Promise<EmbeddingModelRecord | undefined> {
  const row = await db
    .selectFrom('embedding_models')
    .select(['model', 'dimensions', 'settings'])
    .where('model', '=', model)
    .executeTakeFirst();
  return row as EmbeddingModelRecord | undefined;
}

/** Stores the settings of a model; newer settings replace older ones. */
export async function saveEmbeddingModel(
  db: Db,
  record: EmbeddingModelRecord,
  now: Date,
): Promise<void> {
  // A distributed database writes it only while all its nodes respond.
  const known = await findEmbeddingModel(db, record.model);
  if (known && isDeepStrictEqual(known.settings, record.settings)) return;
  const settings = record.settings && JSON.stringify(record.settings);
  await db
    .insertInto('embedding_models')
    .values({ model: record.model, dimensions: record.dimensions, settings, created_at: now })
    .onConflict((on) => on.column('model').doUpdateSet({ settings }))
    .execute();
}

/** Revision 0 and null: it was not measured. */
export async function findModelScale(
  db: Db,
  model: string,
): Promise<{ readonly revision: number; readonly scale: ModelScale | null }> {
  const row = await db
    .selectFrom('embedding_models')
    .select(['scale', 'scale_revision'])
    .where('model', '=', model)
    .executeTakeFirst();
  const scale = (row?.scale ?? null) as ModelScale | null;
  return { revision: row?.scale_revision ?? 0, scale };
}

/** @param ifOlder stores it only if there is none of its version: the first process wins */
export async function saveModelScale(
  db: Db,
  model: string,
  scale: ModelScale,
  { ifOlder }: { readonly ifOlder: boolean },
): Promise<void> {
  await sql`
    update embedding_models
    set scale = ${JSON.stringify(scale)}::jsonb, scale_revision = scale_revision + 1
    where model = ${model} and (not ${ifOlder}::boolean
      or coalesce((scale ->> 'version')::integer, 0) < ${scale.version}::integer)
  `.execute(db);
}

/** Deletes models that no account uses. */
export async function deleteUnusedModelsExcept(db: Db, exception: string): Promise<void> {
  const used = (await modelsInUse(db)).map(({ model }) => model);
  await db
    .deleteFrom('embedding_models')
    .where(sql<boolean>`model <> all(${[exception, ...used]}::text[])`)
    .execute();
}

/** The account's model; an account without one gets `fallback`. Null: there is no such account. */
export async function getOrSetAccountModel(
  db: Db,
  accountId: string,
  fallback: string,
): Promise<string | null> {
  const existing = await findAccountModel(db, accountId);
  if (existing === undefined) return null;
  if (existing !== null) return existing;
  await db
    .updateTable('account_positions')
    .set({ model: fallback })
    .where('account_id', '=', accountId)
    .where('model', 'is', null)
    .execute();
  return (await findAccountModel(db, accountId)) ?? null;
}

/** Null: the account has no model yet; undefined: no such account. */
export async function findAccountModel(
  db: Db,
  accountId: string,
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('account_positions')
    .select('model')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.model;
}

/** Models in use, and the number of accounts of each. */
export async function modelsInUse(db: Db): Promise<{ model: string; accounts: number }[]> {
  const { rows } = await sql<{ model: string; accounts: number }>`
    select model, count(*) as accounts from account_positions where model is not null
    group by model order by model`.execute(
    acrossAccounts(db, 'the operator sees which models are in use'),
  );
  return rows;
}

/** The account's position; locked against every writer of its documents until the commit. */
export async function lockAccountPosition(
  tx: Tx,
  accountId: string,
): Promise<{ model: string | null; index_position: number } | undefined> {
  return tx
    .selectFrom('account_positions')
    .select(['model', 'index_position'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

export async function setAccountModel(tx: Tx, accountId: string, model: string): Promise<void> {
  await tx
    .updateTable('account_positions')
    .set({ model })
    .where('account_id', '=', accountId)
    .execute();
  // Vectors of a model that is used again later have no positions.
  await deleteSegmentsOf(tx, accountId);
}

/** A model as its vectors identify it. */
export interface EmbeddingModelRef {
  readonly model: string;
  readonly dimensions: number;
}

/** The range of an account's documents to scan. */
export interface VectorScanRange {
  readonly after: string | null;
  /** Only documents that changed after this position. */
  readonly since: number;
}

interface ScannedDocument {
  readonly id: string;
  /** Bytes of its terms. */
  readonly bytes: number;
  /** Has a complete vector of the model. */
  readonly has_vector: boolean;
}

/**
 * Documents, including hidden ones, in the order of ids, and whether they have a vector of a model.
 */
export async function scanVectors(
  db: Db,
  accountId: string,
  { model, dimensions }: EmbeddingModelRef,
  { after, since }: VectorScanRange,
  limit: number,
): Promise<ScannedDocument[]> {
  // Each vector by its full key: a join is planned as a scan of the whole account.
  const { rows } = await sql<ScannedDocument>`
    with page as materialized (
      select id, coalesce(octet_length(terms), 0) as bytes from documents
      where account_id = ${accountId}::uuid and position > ${since}::bigint
        and deleted_at is null and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}::int
    )
    select id, bytes, coalesce((
      select dimensions = ${dimensions}::int and length(vector) = dimensions from vectors
      where account_id = ${accountId}::uuid and document_id = page.id and model = ${model}
    ), false) as has_vector
    from page order by id
  `.execute(db);
  return rows;
}

/** Writes vectors of documents that exist, and no others. */
export async function addVectors(
  tx: Tx,
  accountId: string,
  { model, dimensions }: EmbeddingModelRef,
  vectors: readonly EncodedDocument[],
): Promise<void> {
  const json = encodedJson(vectors);
  await sql`
    insert into vectors (account_id, document_id, model, dimensions, vector, passages,
      lacks_passages)
    select account_id, i, ${model}, ${dimensions}::int, decode(v, 'base64'),
      decode(p, 'base64'), p is null and kind = 'memory' and terms like e'%\\n%\\n%'
    from json_to_recordset(${json}::json) as row (i uuid, v text, p text)
    join documents on account_id = ${accountId}::uuid and id = i and deleted_at is null
    on conflict (account_id, document_id, model) do update set
      dimensions = excluded.dimensions, vector = excluded.vector,
      is_provisional = false, position = null,
      passages = excluded.passages, lacks_passages = excluded.lacks_passages
  `.execute(tx);
}

/** One step of deleting vectors of other models; returns the ids of their documents, in order. */
export async function deleteOtherVectors(
  db: Db,
  accountId: string,
  model: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with page as materialized (
      select document_id, model from vectors
      where account_id = ${accountId}::uuid and model <> ${model}
        and (${after}::uuid is null or document_id >= ${after}::uuid)
      order by document_id limit ${limit}::int
    ), gone as (
      delete from vectors using page
      where vectors.account_id = ${accountId}::uuid
        and vectors.document_id = page.document_id and vectors.model = page.model
    )
    select document_id as id from page order by document_id
  `.execute(db);
  return rows.map(({ id }) => id);
}
