import { sql } from 'kysely';
import type { Db, Tx } from '../engine/index.ts';

/** The first outcome of a request with an Idempotency-Key. */
export interface Outcome {
  /** Hash of the route and the body it answered. */
  readonly fingerprint: Uint8Array;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

export const findOutcome = (
  db: Db,
  accountId: string,
  key: string,
  since: Date,
): Promise<Outcome | undefined> =>
  db
    .selectFrom('idempotency')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>=', since)
    .executeTakeFirst();

/**
 * Keeps an outcome with its effect. An expired one gives way; a present one is a unique
 * violation, which takes the second effect back.
 */
export async function keepOutcome(
  tx: Tx,
  accountId: string,
  key: string,
  outcome: Outcome,
  at: { now: Date; expired: Date },
): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '<', at.expired)
    .execute();
  await tx
    .insertInto('idempotency')
    .values({
      account_id: accountId,
      key,
      fingerprint: outcome.fingerprint,
      status: outcome.status,
      headers: JSON.stringify(outcome.headers),
      body: outcome.body === undefined ? null : JSON.stringify(outcome.body),
      created_at: at.now,
    })
    .execute();
}

/** Removes outcomes kept before `before`; returns how many. */
export async function trimOutcomes(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency where (account_id, key) in (
      select account_id, key from idempotency where created_at < ${before}::timestamptz
      order by created_at limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
