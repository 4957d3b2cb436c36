import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';

/** The sum of a cluster's vectors. */
export interface VectorSumRow {
  readonly id: string;
  /** Null: must be rebuilt; empty: no members. */
  readonly vector_sum: Uint8Array | null;
  readonly vector_model: string | null;
}

export async function findVectorSums(tx: Db, accountId: string, ids: readonly string[]) {
  const { rows } = await sql<VectorSumRow>`
    select id, vector_sum, vector_model from clusters
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(tx);
  return rows;
}

export interface CountedVectorSum extends VectorSumRow {
  /** Added to the number of memories. */
  readonly count: number;
}

export async function saveVectorSums(
  tx: Tx,
  accountId: string,
  rows: readonly CountedVectorSum[],
): Promise<void> {
  const json = JSON.stringify(
    rows.map(({ id, vector_sum: sum, vector_model: model, count }) => ({
      i: id,
      s: sum && Buffer.from(sum).toString('base64'),
      m: model,
      n: count,
    })),
  );
  await sql`
    update clusters set memory_count = memory_count + n, vector_sum = decode(s, 'base64'),
      vector_model = m, revision = revision + 1
    from json_to_recordset(${json}::json) as row (i uuid, s text, m text, n integer)
    where account_id = ${accountId}::uuid and id = i`.execute(tx);
}

/** Resets a sum; returns the member set. Null: there is no such cluster. */
export async function resetVectorSum(
  tx: Tx,
  accountId: string,
  clusterId: string,
): Promise<string | null> {
  const { rows } = await sql<{ member_set_id: string }>`
    update clusters set vector_sum = ''::bytea, vector_model = null, revision = revision + 1
    where account_id = ${accountId}::uuid and id = ${clusterId}::uuid
    returning member_set_id`.execute(tx);
  const setId = rows[0]?.member_set_id;
  if (setId === undefined) return null;
  await sql`
    update cluster_memories set is_in_vector_sum = false
    where account_id = ${accountId}::uuid and member_set_id = ${setId}::uuid and
    is_in_vector_sum`.execute(tx);
  return setId;
}
