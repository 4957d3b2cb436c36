import type { EventType } from '@mneme/contract';
import { sql } from 'kysely';
import type { Tx } from '../engine/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';

export interface NewEvent {
  readonly accountId: string;
  readonly type: EventType;
  readonly spaceId: string | null;
  readonly data: Record<string, unknown>;
  readonly previousData?: Record<string, unknown>;
  readonly changes?: readonly string[];
}

/** Writes rows that carry the transaction's position in their account. */
export type PositionedWrite = (tx: Tx, positions: ReadonlyMap<string, number>) => Promise<void>;

/**
 * What one transaction adds to the order of its accounts. Collected while it runs and written
 * last, since the account's row is locked from then to the commit: positions are therefore in
 * order of commit, and a reader who has seen one has seen all before it.
 */
export class Journal {
  readonly #events: NewEvent[] = [];
  /** Accounts whose index documents change. */
  readonly #indexed = new Set<string>();
  readonly #writes: PositionedWrite[] = [];

  event(event: NewEvent): void {
    this.#events.push(event);
  }

  /** Runs `write` once the position of every account in `accountIds` is known. */
  positioned(accountIds: Iterable<string>, write: PositionedWrite): void {
    for (const id of accountIds) this.#indexed.add(id);
    this.#writes.push(write);
  }

  async flush(tx: Tx, deps: { clock: Clock; ids: Ids }): Promise<void> {
    const counts = new Map([...this.#indexed].map((id) => [id, 1]));
    for (const { accountId } of this.#events) {
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    const last = await takePositions(tx, counts, this.#indexed);
    for (const write of this.#writes) await write(tx, last);
    await this.#writeEvents(tx, counts, last, deps);
  }

  async #writeEvents(
    tx: Tx,
    counts: ReadonlyMap<string, number>,
    last: ReadonlyMap<string, number>,
    deps: { clock: Clock; ids: Ids },
  ): Promise<void> {
    if (this.#events.length === 0) return;
    const next = new Map(
      [...last].map(([id, position]) => [id, position - (counts.get(id) ?? 0) + 1]),
    );
    const now = deps.clock.now();
    const rows = this.#events.map((event) => {
      const position = next.get(event.accountId) ?? 0;
      next.set(event.accountId, position + 1);
      return { event, position, id: deps.ids.uuid() };
    });
    await insertEvents(tx, rows, now);
  }
}

/** One lock per account, in the order of their ids so that two transactions never deadlock. */
async function takePositions(
  tx: Tx,
  counts: ReadonlyMap<string, number>,
  indexed: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for (const accountId of [...counts.keys()].sort()) {
    const next = sql<number>`position + ${counts.get(accountId) ?? 0}::bigint`;
    const row = await tx
      .updateTable('streams')
      .set({ position: next, ...(indexed.has(accountId) ? { indexed_to: next } : {}) })
      .where('account_id', '=', accountId)
      .returning('position')
      .executeTakeFirstOrThrow();
    positions.set(accountId, row.position);
  }
  return positions;
}

interface PlacedEvent {
  readonly event: NewEvent;
  readonly position: number;
  readonly id: string;
}

/** As one JSON parameter: a hundred events cost one statement of constant text. */
async function insertEvents(tx: Tx, rows: readonly PlacedEvent[], now: Date): Promise<void> {
  const json = JSON.stringify(
    rows.map(({ event, position, id }) => ({
      a: event.accountId,
      p: position,
      i: id,
      t: event.type,
      s: event.spaceId,
      d: event.data,
      b: event.previousData ?? null,
      c: event.changes ?? null,
    })),
  );
  await sql`
    insert into events
      (account_id, position, id, type, space_id, data, previous_data, changes, created_at)
    select a, p, i, t, s, d, b, c, ${now}::timestamptz
    from json_to_recordset(${json}::json) as row
      (a uuid, p bigint, i uuid, t text, s uuid, d json, b json, c text[])
  `.execute(tx);
}
