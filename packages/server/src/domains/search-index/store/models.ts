import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import type { StoredEmbeddingSettings } from '../../../providers/embedding/index.ts';

export interface ModelRecord {
  readonly model: string;
  readonly dimensions: number;
  readonly settings: StoredEmbeddingSettings | null;
}

export async function findModel(db: Db, model: string): Promise<ModelRecord | undefined> {
  const row = await db
    .selectFrom('embedding_models')
    .select(['model', 'dimensions', 'settings'])
    .where('model', '=', model)
    .executeTakeFirst();
  return row as ModelRecord | undefined;
}

/** Keeps how a model is made; the way that is known now takes the place of an older one. */
export async function saveModel(db: Db, record: ModelRecord, now: Date): Promise<void> {
  const settings = record.settings && JSON.stringify(record.settings);
  await db
    .insertInto('embedding_models')
    .values({ model: record.model, dimensions: record.dimensions, settings, created_at: now })
    .onConflict((on) => on.column('model').doUpdateSet({ settings }))
    .execute();
}

/** Forgets models that no account is searched by. */
export async function deleteModelsExcept(db: Db, kept: string): Promise<void> {
  await db
    .deleteFrom('embedding_models')
    .where('model', '<>', kept)
    .where(
      sql<boolean>`not exists (select from streams where streams.model = embedding_models.model)`,
    )
    .execute();
}

/** The account's model; one that has had none gets `fallback`. Null: there is no such account. */
export async function getOrSetAccountModel(
  db: Db,
  accountId: string,
  fallback: string,
): Promise<string | null> {
  const found = await findAccountModel(db, accountId);
  if (found === undefined) return null;
  if (found !== null) return found;
  await db
    .updateTable('streams')
    .set({ model: fallback })
    .where('account_id', '=', accountId)
    .where('model', 'is', null)
    .execute();
  return (await findAccountModel(db, accountId)) ?? null;
}

/** Null: it has had none yet; undefined: no such account. */
export async function findAccountModel(
  db: Db,
  accountId: string,
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('streams')
    .select('model')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.model;
}

/** Models that accounts are searched by, and how many of each. */
export async function modelsInUse(db: Db): Promise<{ model: string; accounts: number }[]> {
  const { rows } = await sql<{ model: string; accounts: number }>`
    select model, count(*) as accounts from streams where model is not null
    group by model order by model`.execute(db);
  return rows;
}

/** How far the account is; locked against every writer of its documents until the commit. */
export async function lockAccountPosition(
  tx: Tx,
  accountId: string,
): Promise<{ model: string | null; indexed_to: number } | undefined> {
  return tx
    .selectFrom('streams')
    .select(['model', 'indexed_to'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

export async function setAccountModel(tx: Tx, accountId: string, model: string): Promise<void> {
  await tx.updateTable('streams').set({ model }).where('account_id', '=', accountId).execute();
}

/** A model as its vectors are told by. */
export interface EmbeddingModelRef {
  readonly model: string;
  readonly dimensions: number;
}

/** Where in an account's documents to look on. */
export interface VectorScanRange {
  readonly after: string | null;
  /** Only at those that changed past this position. */
  readonly since: number;
}

interface ScannedDocument {
  readonly id: string;
  /** Of its terms. */
  readonly bytes: number;
  /** A whole vector of the model. */
  readonly has_vector: boolean;
}

/** Documents, hidden ones too, in the order of ids, and whether they have a model's vector. */
export async function scanVectors(
  db: Db,
  accountId: string,
  { model, dimensions }: EmbeddingModelRef,
  { after, since }: VectorScanRange,
  limit: number,
): Promise<ScannedDocument[]> {
  // Each vector by its whole key: a join is planned as a scan of all that the account has.
  const { rows } = await sql<ScannedDocument>`
    with page as materialized (
      select id, coalesce(octet_length(terms), 0) as bytes from documents
      where account_id = ${accountId}::uuid and position > ${since}::bigint
        and buried_at is null and (${after}::uuid is null or id > ${after}::uuid)
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

/** Writes vectors of documents that are there, and no others. */
export async function addVectors(
  tx: Tx,
  accountId: string,
  { model, dimensions }: EmbeddingModelRef,
  vectors: readonly { readonly id: string; readonly bytes: Int8Array }[],
): Promise<void> {
  const json = JSON.stringify(
    vectors.map(({ id, bytes }) => ({ i: id, v: Buffer.from(bytes.buffer).toString('base64') })),
  );
  await sql`
    insert into vectors (account_id, document_id, model, dimensions, vector)
    select ${accountId}::uuid, i, ${model}, ${dimensions}::int, decode(v, 'base64')
    from json_to_recordset(${json}::json) as row (i uuid, v text)
    where exists (
      select from documents where account_id = ${accountId}::uuid and id = i and buried_at is null
    )
    on conflict (account_id, document_id, model) do update set
      dimensions = excluded.dimensions, vector = excluded.vector
  `.execute(tx);
}

/** One step of erasing the vectors of other models; returns whose went, in order. */
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
