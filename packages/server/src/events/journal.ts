import type { EventType, Owner } from '@mneme/contract';
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
  /** The second space of an event about two spaces: only readers of both see it. */
  readonly secondSpaceId?: string | null;
  /** Readers of this space do not see the event: they see another one with more details. */
  readonly hiddenFromSpaceId?: string | null;
  /** Of an event about memories; see shared-owner.ts. Without it, no token of one user sees it. */
  readonly owner?: Owner;
  readonly data: Record<string, unknown>;
  readonly previousData?: Record<string, unknown>;
  readonly changes?: readonly string[];
}

/** The state of an account at the moment of the write. */
export interface AccountSnapshot {
  readonly accountId: string;
  /** The embedding model of its search. */
  readonly model: string | null;
}

/** How a transaction moved the index of an account. */
export interface IndexMove {
  /** The index position before the transaction. */
  readonly from: number;
  readonly to: number;
  readonly model: string | null;
}

/**
 * A write of rows with the position of their transaction, as common table expressions
 * (`name as (insert …)`) of the statement that allocates the positions. It reads the positions from
 * `place (account_id, position)`; `name` creates identifiers that are unique to the write.
 */
export type PositionedWrite = (name: (part: string) => RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * The events and positioned writes of one transaction. The journal collects them while the
 * transaction runs and writes them last, because the account's row is locked from then until the
 * commit. Positions are therefore in order of commit: a reader that has seen one has seen all
 * earlier ones.
 */
export class Journal {
  readonly #events: NewEvent[] = [];
  /** Accounts whose index documents change. */
  readonly #indexed = new Set<string>();
  readonly #indexMoves = new Map<string, IndexMove>();
  readonly #writes: { readonly write: PositionedWrite; readonly characters: number }[] = [];
  readonly #preconditions: ((account: AccountSnapshot) => void)[] = [];
  readonly #afterCommit: (() => void)[] = [];

  addEvent(event: NewEvent): void {
    this.#events.push(event);
  }

  /** Registers a callback that runs only after a successful commit; it must not throw. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback);
  }

  get afterCommitCallbacks(): readonly (() => void)[] {
    return this.#afterCommit;
  }

  /** The types of the events, one per event. */
  get eventTypes(): readonly EventType[] {
    return this.#events.map(({ type }) => type);
  }

  /** The accounts with events in this journal. */
  get eventAccountIds(): ReadonlySet<string> {
    return new Set(this.#events.map(({ accountId }) => accountId));
  }

  /** The accounts whose index documents have changed; known after the flush. */
  get indexMoves(): ReadonlyMap<string, IndexMove> {
    return this.#indexMoves;
  }

  /**
   * Writes rows of these accounts with their positions. `characters` is the approximate size of the
   * parameters of a large write; large writes are distributed over several statements.
   */
  addPositionedWrite(accountIds: Iterable<string>, write: PositionedWrite, characters = 0): void {
    for (const id of accountIds) this.#indexed.add(id);
    this.#writes.push({ write, characters });
  }

  /** Adds a check under the account's lock; an error rolls the transaction back. */
  addPrecondition(condition: (account: AccountSnapshot) => void): void {
    this.#preconditions.push(condition);
  }

  /**
   * Writes everything in one statement, so that the lock lasts only for the statement and the
   * commit, or in several if one would have megabytes of parameters. Throws 401 invalid_api_key if
   * an account does not exist.
   */
  async flush(tx: Tx, deps: { clock: Clock; ids: Ids }): Promise<void> {
    const counts = new Map([...this.#indexed].map((id) => [id, 1]));
    for (const { accountId } of this.#events) {
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    // A generator, so that only one statement is in memory.
    const statements = this.#statements(deps);
    const first = statements.next().value ?? [];
    const { rows } = await sql<AccountPosition>`
      with ${sql.join([allocatePositions(counts, this.#indexed), ...first])}
      select account_id as "accountId", position, former_index_position as "formerIndexPosition",
        model from place`.execute(tx);
    // An account was erased with its keys: without a position its data must not be stored.
    if (rows.length < counts.size) throw new AppError('invalid_api_key');
    for (const account of rows) for (const check of this.#preconditions) check(account);
    for (const { accountId, position: to, formerIndexPosition: from, model } of rows) {
      if (this.#indexed.has(accountId)) this.#indexMoves.set(accountId, { from, to, model });
    }
    for (const parts of statements) {
      await sql`with ${sql.join([allocatedPositions(rows), ...parts])} select 1 from place`.execute(
        tx,
      );
    }
  }

  /** All writes as common table expressions of as few statements as possible. */
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
    const remaining = new Map<string, number>();
    for (const { accountId } of this.#events) {
      remaining.set(accountId, (remaining.get(accountId) ?? 0) + 1);
    }
    const now = clock.now();
    let i = 0;
    for (const batch of batchBySize(this.#events, charactersOf, statementCharacters)) {
      const name = sql.ref(`told${i}`);
      const make = () => {
        const json = JSON.stringify(batch.map((event) => eventRow(event, remaining, ids)));
        return sql`${name} as (${insertEvents(json, now)})`;
      };
      yield { characters: batch.reduce((all, event) => all + charactersOf(event), 0), make };
      i += 1;
    }
  }
}

/** The approximate maximum size of a statement. */
const statementCharacters = 1_048_576;

interface StatementPart {
  readonly characters: number;
  readonly make: () => RawBuilder<unknown>;
}

interface AccountPosition extends AccountSnapshot {
  readonly position: number;
  readonly formerIndexPosition: number;
}

/** Only the text fields of a memory can be long. */
const charactersOf = ({ data, previousData = {} }: NewEvent): number =>
  textCharacters(data) + textCharacters(previousData);

const textCharacters = (fields: Record<string, unknown>): number =>
  Object.values(fields).reduce<number>(
    (all, value) => all + (typeof value === 'string' ? value.length : 0),
    0,
  );

/** `p` is the distance to the account's newest position, which the last event gets. */
function eventRow(event: NewEvent, remaining: Map<string, number>, ids: Ids) {
  const distance = (remaining.get(event.accountId) ?? 1) - 1;
  remaining.set(event.accountId, distance);
  return {
    a: event.accountId,
    p: distance,
    i: ids.uuid(),
    t: event.type,
    s: event.spaceId,
    s2: spaceName(event.secondSpaceId),
    h: spaceName(event.hiddenFromSpaceId),
    u: event.owner?.user_id ?? undefined,
    g: event.owner?.agent_id ?? undefined,
    r: event.owner?.run_id ?? undefined,
    d: event.data,
    b: event.previousData ?? null,
    c: event.changes ?? null,
  };
}

const insertEvents = (json: string, now: Date): RawBuilder<unknown> => sql`
  insert into events
    (account_id, position, id, type, space_id, second_space, hidden_from, user_id, agent_id, run_id,
      data, previous_data, changes, created_at)
  select a, place.position - p, i, t, s, s2, h, u, g, r, d, b, c, ${now}::timestamptz
  from json_to_recordset(${json}::json) as row
    (a uuid, p bigint, i uuid, t text, s uuid, s2 text, h text, u text, g text, r text, d json,
      b json, c text[])
  join place on place.account_id = a`;

/** The stored form of a space: `default` for the account level, null for undefined. */
const spaceName = (spaceId: string | null | undefined): string | null =>
  spaceId === undefined ? null : (spaceId ?? 'default');

/** The positions that this transaction has allocated, for its further statements. */
function allocatedPositions(rows: readonly AccountPosition[]): RawBuilder<unknown> {
  const positions = rows.map(({ accountId, position, model }) => ({ accountId, position, model }));
  return sql`
    place as (
      select "accountId" as account_id, position, model
      from json_to_recordset(${JSON.stringify(positions)}::json)
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
      select account_id, index_position from account_positions
      where account_id in (select a from wanted)
      order by account_id for update
    ), place as (
      update account_positions set
        position = account_positions.position + n,
        index_position =
          case when d then account_positions.position + n else account_positions.index_position end
      from wanted join locked on locked.account_id = a
      where account_positions.account_id = a
      returning account_positions.account_id, account_positions.position, account_positions.model,
        locked.index_position as former_index_position
    )`;
}
