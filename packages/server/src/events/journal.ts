import type { EventType } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../database/index.ts';
import { batchBySize } from '../kernel/batches.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';

export interface NewEvent {
  readonly accountId: string;
  readonly type: EventType;
  readonly spaceId: string | null;
  /** Where the event is about two spaces: then only who may see both is told. */
  readonly secondSpaceId?: string | null;
  /** Who may see this space too is not told: another event tells it more. */
  readonly hiddenFromSpaceId?: string | null;
  readonly data: Record<string, unknown>;
  readonly previousData?: Record<string, unknown>;
  readonly changes?: readonly string[];
}

/** An account at the moment of the write. */
export interface AccountSnapshot {
  readonly accountId: string;
  /** The embedding model that it is searched by. */
  readonly model: string | null;
}

/**
 * A write of rows that carry their transaction's position, as common table expressions
 * (`name as (insert …)`) of the one statement that takes the positions. It reads them from
 * `place (account_id, position)`; `name` makes identifiers that no other write has.
 */
export type PositionedWrite = (name: (part: string) => RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * What one transaction adds to the order of its accounts. Collected while it runs and written
 * last, since the account's row is locked from then to the commit: positions are therefore in
 * order of commit, and a reader who has seen one has seen all before it.
 */
export class Journal {
  readonly #events: NewEvent[] = [];
  /** Accounts whose index documents change. */
  readonly #indexed = new Set<string>();
  readonly #writes: { readonly write: PositionedWrite; readonly characters: number }[] = [];
  readonly #conditions: ((place: AccountSnapshot) => void)[] = [];
  readonly #afterwards: (() => void)[] = [];

  addEvent(event: NewEvent): void {
    this.#events.push(event);
  }

  /** Called once it is committed, and only then; it must not throw. */
  afterCommit(call: () => void): void {
    this.#afterwards.push(call);
  }

  get afterCommitCallbacks(): readonly (() => void)[] {
    return this.#afterwards;
  }

  /** Accounts that have events in it. */
  get eventAccountIds(): ReadonlySet<string> {
    return new Set(this.#events.map(({ accountId }) => accountId));
  }

  /**
   * Writes rows of these accounts at their positions. `characters`: about how much of them the
   * statement carries, where that may be much; many such writes are not put into one statement.
   */
  addPositionedWrite(accountIds: Iterable<string>, write: PositionedWrite, characters = 0): void {
    for (const id of accountIds) this.#indexed.add(id);
    this.#writes.push({ write, characters });
  }

  /** Checks, under the account's lock, what a write was made for; throwing takes all back. */
  addPrecondition(condition: (place: AccountSnapshot) => void): void {
    this.#conditions.push(condition);
  }

  /**
   * One statement, so that the lock is held for no more than its time and the commit's; several,
   * where one would carry megabytes. Throws 401 invalid_api_key where an account is gone.
   */
  async flush(tx: Tx, deps: { clock: Clock; ids: Ids }): Promise<void> {
    const counts = new Map([...this.#indexed].map((id) => [id, 1]));
    for (const { accountId } of this.#events) {
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    // One after the other, so that only one is in memory.
    const statements = this.#statements(deps);
    const first = statements.next().value ?? [];
    const { rows } = await sql<AccountPosition>`
      with ${sql.join([allocatePositions(counts, this.#indexed), ...first])}
      select account_id as "accountId", position, model from place`.execute(tx);
    // It was erased meanwhile, with its keys: what cannot be told must not be kept either.
    if (rows.length < counts.size) throw new AppError('invalid_api_key');
    for (const place of rows) for (const condition of this.#conditions) condition(place);
    for (const parts of statements) {
      await sql`with ${sql.join([allocatedPositions(rows), ...parts])} select 1 from place`.execute(
        tx,
      );
    }
  }

  /** What is to be written, as common table expressions of as few statements as can carry it. */
  *#statements(deps: { clock: Clock; ids: Ids }): Generator<readonly RawBuilder<unknown>[]> {
    const writes: StatementPart[] = this.#writes.map(({ write, characters }, i) => ({
      characters,
      make: () => write((part) => sql.ref(`w${i}_${part}`)),
    }));
    const parts = [...writes, ...this.#eventParts(deps)];
    for (const batch of batchBySize(parts, ({ characters }) => characters, statementCharacters)) {
      yield batch.map(({ make }) => make());
    }
  }

  *#eventParts({ clock, ids }: { clock: Clock; ids: Ids }): Generator<StatementPart> {
    const left = new Map<string, number>();
    for (const { accountId } of this.#events) left.set(accountId, (left.get(accountId) ?? 0) + 1);
    const now = clock.now();
    let i = 0;
    for (const batch of batchBySize(this.#events, charactersOf, statementCharacters)) {
      const name = sql.ref(`told${i}`);
      const make = () => {
        const json = JSON.stringify(batch.map((event) => eventRow(event, left, ids)));
        return sql`${name} as (${insertEvents(json, now)})`;
      };
      yield { characters: batch.reduce((all, event) => all + charactersOf(event), 0), make };
      i += 1;
    }
  }
}

/** Of a statement of the journal, about. */
const statementCharacters = 1_048_576;

interface StatementPart {
  readonly characters: number;
  readonly make: () => RawBuilder<unknown>;
}

interface AccountPosition extends AccountSnapshot {
  readonly position: number;
}

/** What of an event may be long are texts of the fields that hold a memory. */
const charactersOf = ({ data, previousData = {} }: NewEvent): number =>
  textCharacters(data) + textCharacters(previousData);

const textCharacters = (fields: Record<string, unknown>): number =>
  Object.values(fields).reduce<number>(
    (all, value) => all + (typeof value === 'string' ? value.length : 0),
    0,
  );

/** The last of an account's positions is its newest; events before it count down from there. */
function eventRow(event: NewEvent, left: Map<string, number>, ids: Ids) {
  const back = (left.get(event.accountId) ?? 1) - 1;
  left.set(event.accountId, back);
  return {
    a: event.accountId,
    p: back,
    i: ids.uuid(),
    t: event.type,
    s: event.spaceId,
    s2: spaceName(event.secondSpaceId),
    h: spaceName(event.hiddenFromSpaceId),
    d: event.data,
    b: event.previousData ?? null,
    c: event.changes ?? null,
  };
}

const insertEvents = (json: string, now: Date): RawBuilder<unknown> => sql`
  insert into events
    (account_id, position, id, type, space_id, second_space, hidden_from, data, previous_data,
      changes, created_at)
  select a, place.position - p, i, t, s, s2, h, d, b, c, ${now}::timestamptz
  from json_to_recordset(${json}::json) as row
    (a uuid, p bigint, i uuid, t text, s uuid, s2 text, h text, d json, b json, c text[])
  join place on place.account_id = a`;

/** How a space that may be none is written; null where there is nothing to say. */
const spaceName = (spaceId: string | null | undefined): string | null =>
  spaceId === undefined ? null : (spaceId ?? 'default');

/** The positions that this transaction has taken, for its further statements. */
function allocatedPositions(rows: readonly AccountPosition[]): RawBuilder<unknown> {
  const places = rows.map(({ accountId, position, model }) => ({ accountId, position, model }));
  return sql`
    place as (
      select "accountId" as account_id, position, model
      from json_to_recordset(${JSON.stringify(places)}::json)
        as row ("accountId" uuid, position bigint, model text)
    )`;
}

/** Locks the accounts in the order of their ids, so that two transactions never deadlock. */
function allocatePositions(
  counts: ReadonlyMap<string, number>,
  indexed: ReadonlySet<string>,
): RawBuilder<unknown> {
  const rows = [...counts].map(([a, n]) => ({ a, n, d: indexed.has(a) }));
  return sql`
    wanted as (
      select a, n, d from json_to_recordset(${JSON.stringify(rows)}::json)
        as row (a uuid, n bigint, d boolean)
    ), locked as (
      select account_id from streams where account_id in (select a from wanted)
      order by account_id for update
    ), place as (
      update streams set
        position = streams.position + n,
        indexed_to = case when d then streams.position + n else streams.indexed_to end
      from wanted join locked on locked.account_id = a
      where streams.account_id = a
      returning streams.account_id, streams.position, streams.model
    )`;
}
