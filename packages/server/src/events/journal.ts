import type { EventType, Owner } from '@mneme/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Engine, insertRows, type RowColumn, type Tx } from '../database/index.ts';
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

/** What a positioned write knows of its transaction, as expressions of SQL. */
export interface Place {
  readonly position: RawBuilder<number>;
  /** The embedding model of the account. */
  readonly model: RawBuilder<string | null>;
  /** Null: the same statement allocates the position, and none if the account was erased. */
  readonly allocated: { readonly model: string | null } | null;
}

/**
 * A write of rows of one account with the position of their transaction: statements that insert,
 * update or delete. None of them may see what another one writes, since most are sent as one.
 */
export type PositionedWrite = (place: Place) => readonly RawBuilder<unknown>[];

interface PendingWrite {
  readonly accountId: string;
  readonly write: PositionedWrite;
  readonly characters: number;
}

/**
 * The events and positioned writes of one transaction. The journal collects them while the
 * transaction runs and writes them last, because the account's row is locked from then until the
 * commit. Positions are therefore in order of commit: a reader that has seen one has seen all
 * earlier ones.
 */
export class Journal {
  readonly #events: NewEvent[] = [];
  readonly #indexMoves = new Map<string, IndexMove>();
  /** Of index documents. */
  readonly #writes: PendingWrite[] = [];
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
   * Writes rows of an account with its position. `characters` is the approximate size of the
   * parameters of a large write; large writes are distributed over several statements.
   */
  addPositionedWrite(accountId: string, write: PositionedWrite, characters = 0): void {
    this.#writes.push({ accountId, write, characters });
  }

  /** Adds a check under the account's lock; an error rolls the transaction back. */
  addPrecondition(condition: (account: AccountSnapshot) => void): void {
    this.#preconditions.push(condition);
  }

  /**
   * Writes everything of an account in one statement, so that its lock lasts only for the statement
   * and the commit. What exceeds a megabyte of parameters follows in a statement for each write; a
   * distributed database gets all writes so. Accounts are locked in the order of their ids, so that
   * two transactions never deadlock. Throws 401 invalid_api_key if an account does not exist.
   */
  async flush(tx: Tx, deps: JournalDeps): Promise<void> {
    const accountIds = new Set([...this.#events, ...this.#writes].map((one) => one.accountId));
    for (const accountId of [...accountIds].sort()) await this.#flushAccount(tx, accountId, deps);
  }

  async #flushAccount(tx: Tx, accountId: string, deps: JournalDeps): Promise<void> {
    const isOwn = (one: { readonly accountId: string }): boolean => one.accountId === accountId;
    const events = this.#events.filter(isOwn);
    const writes = this.#writes.filter(isOwn);
    const isIndexed = writes.length > 0;
    const allocation = allocatePosition(accountId, events.length + (isIndexed ? 1 : 0), isIndexed);
    // A generator, so that only one statement is in memory.
    const batches = batchesOf(accountId, writes, events, deps);
    // Citus would run each part of one statement apart, and exchange their rows through files.
    const first = deps.engine.isDistributed ? [] : (batches.next().value ?? []);
    const { rows } = await allocateAndWrite(allocation, first).execute(tx);
    const [allocated] = rows;
    // The account was erased with its keys: without a position its data must not be stored.
    if (allocated === undefined) throw new AppError('invalid_api_key');
    const { position, formerIndexPosition, model } = allocated;
    for (const check of this.#preconditions) check({ accountId, model });
    if (isIndexed) {
      this.#indexMoves.set(accountId, { from: formerIndexPosition ?? 0, to: position, model });
    }
    const place = {
      position: sql<number>`${position}::bigint`,
      model: sql<string>`${model}::text`,
      allocated: { model },
    };
    for (const parts of batches) {
      for (const statement of parts.flatMap(({ make }) => make(place))) await statement.execute(tx);
    }
  }
}

interface JournalDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly engine: Pick<Engine, 'isDistributed'>;
}

/** The place in the statement that allocates the position. */
const placeOfStatement: Place = {
  position: sql`(select position from place)`,
  model: sql`(select model from place)`,
  allocated: null,
};

/** One statement that allocates a position, and then writes. */
const allocateAndWrite = (
  allocation: RawBuilder<AllocatedPosition>,
  parts: readonly StatementPart[],
): RawBuilder<AllocatedPosition> => {
  if (parts.length === 0) return allocation;
  const statements = parts.flatMap(({ make }) => make(placeOfStatement));
  return sql`
    with place as (${allocation}), ${named(statements)}
    select position, model, "formerIndexPosition" from place`;
};

/** Statements as common table expressions. */
const named = (statements: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(statements.map((statement, i) => sql`${sql.ref(`w${i}`)} as (${statement})`));

/** All writes of an account, in batches that are each small enough for one statement. */
function* batchesOf(
  accountId: string,
  writes: readonly PendingWrite[],
  events: readonly NewEvent[],
  deps: JournalDeps,
): Generator<readonly StatementPart[]> {
  const written = writes.map(({ write, characters }) => ({ characters, make: write }));
  const parts = [...written, ...eventParts(accountId, events, deps)];
  yield* batchBySize(parts, ({ characters }) => characters, statementCharacters);
}

function* eventParts(
  accountId: string,
  events: readonly NewEvent[],
  { clock, ids }: JournalDeps,
): Generator<StatementPart> {
  const now = clock.now();
  let remaining = events.length;
  for (const batch of batchBySize(events, charactersOf, statementCharacters)) {
    const make = (place: Place) => {
      const rows = batch.map((event) => {
        remaining -= 1;
        return { event, id: ids.uuid(), distance: remaining };
      });
      return [insertEvents(accountId, rows, place, now)];
    };
    yield { characters: batch.reduce((all, event) => all + charactersOf(event), 0), make };
  }
}

/** The approximate maximum size of a statement. */
const statementCharacters = 1_048_576;

interface StatementPart {
  readonly characters: number;
  readonly make: PositionedWrite;
}

interface AllocatedPosition {
  readonly position: number;
  /** Null before the first document. */
  readonly formerIndexPosition: number | null;
  /** The embedding model of the account. */
  readonly model: string | null;
}

/** Only the text fields of a memory can be long. */
const charactersOf = ({ data, previousData = {} }: NewEvent): number =>
  textCharacters(data) + textCharacters(previousData);

const textCharacters = (fields: Record<string, unknown>): number =>
  Object.values(fields).reduce<number>(
    (all, value) => all + (typeof value === 'string' ? value.length : 0),
    0,
  );

interface PlacedEvent {
  readonly event: NewEvent;
  readonly id: string;
  /** To the account's newest position, which the last event gets. */
  readonly distance: number;
}

const eventColumn = (
  name: string,
  type: string,
  value: (event: NewEvent) => unknown,
): RowColumn<PlacedEvent> => ({ name, type, value: ({ event }) => value(event) });

const eventColumns: readonly RowColumn<PlacedEvent>[] = [
  { name: 'id', type: 'uuid', value: ({ id }) => id },
  eventColumn('type', 'text', ({ type }) => type),
  eventColumn('space_id', 'uuid', ({ spaceId }) => spaceId),
  eventColumn('second_space', 'text', ({ secondSpaceId }) => spaceName(secondSpaceId)),
  eventColumn('hidden_from', 'text', ({ hiddenFromSpaceId }) => spaceName(hiddenFromSpaceId)),
  eventColumn('user_id', 'text', ({ owner }) => owner?.user_id),
  eventColumn('agent_id', 'text', ({ owner }) => owner?.agent_id),
  eventColumn('run_id', 'text', ({ owner }) => owner?.run_id),
  eventColumn('data', 'json', ({ data }) => data),
  eventColumn('previous_data', 'json', ({ previousData }) => previousData),
  eventColumn('changes', 'text[]', ({ changes }) => changes),
];

function insertEvents(
  accountId: string,
  events: readonly PlacedEvent[],
  place: Place,
  now: Date,
): RawBuilder<unknown> {
  const position: RowColumn<PlacedEvent> = {
    name: 'position',
    type: 'bigint',
    value: ({ distance }) => distance,
    stored: (distance) => sql`${place.position} - ${distance}`,
  };
  const createdAt = { name: 'created_at', expression: sql`${now}::timestamptz` };
  return insertRows('events', accountId, [...eventColumns, position, createdAt], events, {
    requiresAccount: place.allocated === null,
  });
}

/** The stored form of a space: `default` for the account level, null for undefined. */
const spaceName = (spaceId: string | null | undefined): string | null =>
  spaceId === undefined ? null : (spaceId ?? 'default');

/** A distributed database plans this statement once, since it names one table and one account. */
function allocatePosition(
  accountId: string,
  count: number,
  isIndexed: boolean,
): RawBuilder<AllocatedPosition> {
  const next = sql`position + ${count}::bigint`;
  const index = sql`, former_index_position = index_position, index_position = ${next}`;
  return sql`
    update account_positions set position = ${next} ${isIndexed ? index : sql``}
    where account_id = ${accountId}::uuid
    returning position, model, former_index_position as "formerIndexPosition"`;
}
