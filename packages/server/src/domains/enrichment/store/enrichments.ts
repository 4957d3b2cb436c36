import type { EnrichmentOperation } from '@mneme/contract';
import { sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import type { StoredEnrichment } from '../model.ts';

interface Row {
  readonly memory_id: string;
  readonly operation: EnrichmentOperation;
  readonly content_hash: Uint8Array;
  readonly value: unknown;
  readonly model: string;
  readonly processed_at: Date;
}

/** The stored enrichments of these memories, also those of former content. */
export async function findEnrichments(
  db: Db,
  accountId: string,
  memoryIds: readonly string[],
  operations: readonly EnrichmentOperation[],
): Promise<StoredEnrichment[]> {
  if (memoryIds.length === 0) return [];
  const { rows } = await sql<Row>`
    select memory_id, operation, content_hash, value, model, processed_at from enrichments
    where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
      and operation = any(${operations}::text[])`.execute(db);
  // Only this file writes the values, in the shape of their operation.
  return rows.map(
    (row) =>
      ({
        memoryId: row.memory_id,
        operation: row.operation,
        contentHash: row.content_hash,
        value: row.value,
        model: row.model,
        processedAt: row.processed_at,
      }) as StoredEnrichment,
  );
}

/** Each replaces the earlier result of its operation for its memory. */
export async function upsertEnrichments(
  tx: Tx,
  accountId: string,
  enrichments: readonly StoredEnrichment[],
): Promise<void> {
  if (enrichments.length === 0) return;
  const json = JSON.stringify(
    enrichments.map((one) => ({
      m: one.memoryId,
      o: one.operation,
      h: Buffer.from(one.contentHash).toString('base64'),
      v: JSON.stringify(one.value),
      by: one.model,
      at: one.processedAt,
    })),
  );
  await sql`
    insert into enrichments (account_id, memory_id, operation, content_hash, value, model,
      processed_at)
    select account.account_id, m, o, decode(h, 'base64'), v::jsonb, by, at
    from ${accountRow(accountId)},
      json_to_recordset(${json}::json) as row (m uuid, o text, h text, v text, by text,
      at timestamptz)
    on conflict (account_id, memory_id, operation) do update set
      content_hash = excluded.content_hash, value = excluded.value, model = excluded.model,
      processed_at = excluded.processed_at`.execute(tx);
}
