import { sql } from 'kysely';
import type { Db, Tx } from '../../../engine/index.ts';
import type { StoredSettings } from '../../../providers/embedding/index.ts';

export interface ModelRecord {
  readonly model: string;
  readonly dimensions: number;
  readonly settings: StoredSettings | null;
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
export async function forgetModels(db: Db, kept: string): Promise<void> {
  await db
    .deleteFrom('embedding_models')
    .where('model', '<>', kept)
    .where(
      sql<boolean>`not exists (select from streams where streams.model = embedding_models.model)`,
    )
    .execute();
}

/** The account's model; one that has had none gets `fallback`. Null: there is no such account. */
export async function modelOfAccount(
  db: Db,
  accountId: string,
  fallback: string,
): Promise<string | null> {
  const found = await readModel(db, accountId);
  if (found === undefined) return null;
  if (found !== null) return found;
  await db
    .updateTable('streams')
    .set({ model: fallback })
    .where('account_id', '=', accountId)
    .where('model', 'is', null)
    .execute();
  return (await readModel(db, accountId)) ?? null;
}

/** Null: it has had none yet; undefined: no such account. */
export async function readModel(db: Db, accountId: string): Promise<string | null | undefined> {
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
export async function lockStream(
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

export async function setModel(tx: Tx, accountId: string, model: string): Promise<void> {
  await tx.updateTable('streams').set({ model }).where('account_id', '=', accountId).execute();
}

/** A model as its vectors are told by. */
export interface Target {
  readonly model: string;
  readonly dimensions: number;
}

/** Which documents still lack a whole vector of a model. */
export interface Lacking extends Target {
  readonly after: string | null;
  /** Only those that changed past this position. */
  readonly since: number;
  readonly without: readonly string[];
  readonly rows: number;
  /** Of terms, together; there is one document at least. */
  readonly bytes: number;
}

const lacks = (accountId: string, { model, dimensions }: Target) => sql`
  buried_at is null and not exists (
    select from vectors where account_id = ${accountId}::uuid
      and document_id = documents.id and model = ${model}
      and dimensions = ${dimensions}::int and length(vector) = dimensions)`;

/** Documents, hidden ones too, in the order of ids. */
export async function documentsLacking(
  db: Db,
  accountId: string,
  lacking: Lacking,
): Promise<string[]> {
  const { after, since, without, rows: limit, bytes } = lacking;
  const { rows } = await sql<{ id: string }>`
    with page as materialized (
      select id, coalesce(octet_length(terms), 0) as bytes from documents
      where account_id = ${accountId}::uuid and position > ${since}::bigint
        and (${after}::uuid is null or id > ${after}::uuid)
        and id <> all(${without}::uuid[]) and ${lacks(accountId, lacking)}
      order by id limit ${limit}::int
    )
    select id from (
      select id, sum(bytes) over (order by id) - bytes as before from page
    ) as running
    where before < ${bytes}::bigint order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Writes vectors of documents that are there, and no others. */
export async function addVectors(
  tx: Tx,
  accountId: string,
  { model, dimensions }: Target,
  vectors: readonly { readonly id: string; readonly bytes: Int8Array }[],
): Promise<void> {
  const json = JSON.stringify(
    vectors.map(({ id, bytes }) => ({ i: id, v: Buffer.from(bytes.buffer).toString('base64') })),
  );
  await sql`
    insert into vectors (account_id, document_id, model, dimensions, vector)
    select ${accountId}::uuid, i, ${model}, ${dimensions}::int, decode(v, 'base64')
    from json_to_recordset(${json}::json) as row (i uuid, v text)
    on conflict (account_id, document_id, model) do update set
      dimensions = excluded.dimensions, vector = excluded.vector
  `.execute(tx);
}

/** One step of erasing the vectors of other models; returns how many went. */
export async function removeOtherVectors(
  db: Db,
  accountId: string,
  model: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from vectors where account_id = ${accountId}::uuid and (document_id, model) in (
      select document_id, model from vectors
      where account_id = ${accountId}::uuid and model <> ${model} limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
