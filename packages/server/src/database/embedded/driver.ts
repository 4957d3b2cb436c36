import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import { TransactionAborted } from '../errors.ts';
import type { TransactionScope } from '../transaction.ts';
import type { StatementResult } from './session.ts';

/** What the driver needs of the database: one conversation at a time. */
export interface SessionHandle {
  /** Begins a transaction with the next statement. */
  begin(sql: string): void;
  query(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Without a limit of time. */
  copyIn(sql: string, input: readonly Uint8Array[]): Promise<StatementResult>;
  /** Without a limit of time: it depends on how fast the output is read. */
  copyOut(sql: string): AsyncIterable<Uint8Array>;
  /** True when the database was restarted, and a transaction that was open is gone. */
  readonly isLost: boolean;
}

/** Gives a conversation with the running database; waits while it restarts. */
export type OpenSession = () => Promise<SessionHandle>;

/** Kysely on the embedded database: one connection, given to one user after the other. */
export function createEmbeddedDialect(
  converse: OpenSession,
  scope: TransactionScope,
  turns: FairSemaphore,
): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EmbeddedDriver(converse, scope, turns),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class EmbeddedDriver implements Driver {
  readonly #converse: OpenSession;
  readonly #scope: TransactionScope;
  readonly #turns: FairSemaphore;

  constructor(converse: OpenSession, scope: TransactionScope, turns: FairSemaphore) {
    this.#converse = converse;
    this.#scope = scope;
    this.#turns = turns;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    // Kysely asks here for each use of engine.db, but not for the statements of a transaction.
    this.#scope.assertOutside();
    const release = await this.#turns.acquire();
    try {
      return new EmbeddedConnection(await this.#converse(), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async releaseConnection(connection: EmbeddedConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(
    connection: EmbeddedConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    const access = settings.accessMode ? ` ${settings.accessMode}` : '';
    connection.begin(`begin${level}${access}`);
  }

  async commitTransaction(connection: EmbeddedConnection): Promise<void> {
    const { tag } = await connection.run('commit');
    if (tag !== 'COMMIT') throw new TransactionAborted();
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    await connection.rollback();
  }

  async destroy(): Promise<void> {}
}

class EmbeddedConnection implements DatabaseConnection {
  readonly release: () => void;
  readonly #conversation: SessionHandle;

  constructor(conversation: SessionHandle, release: () => void) {
    this.#conversation = conversation;
    this.release = release;
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, tag } = await this.#conversation.query(compiled.sql, compiled.parameters);
    const affected = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag)?.[1];
    if (affected === undefined) return { rows: rows as R[] };
    return { rows: rows as R[], numAffectedRows: BigInt(affected) };
  }

  begin(sql: string): void {
    this.#conversation.begin(sql);
  }

  run(sql: string): Promise<StatementResult> {
    return this.#conversation.query(sql, []);
  }

  async rollback(): Promise<void> {
    // A restart has rolled back already, and the caller's own error is the one to see.
    if (!this.#conversation.isLost) await this.run('rollback');
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The engine does not stream: page through the rows by key');
  }
}
