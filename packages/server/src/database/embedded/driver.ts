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
import { statementDialect } from '../record-statements.ts';
import type { TransactionScope } from '../transaction.ts';
import type { StatementResult } from './session.ts';

/** The database as the driver sees it: one session at a time. */
export interface SessionHandle {
  /** Begins a transaction together with the next statement. */
  begin(sql: string): void;
  query(sql: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Has no timeout. */
  copyIn(sql: string, input: readonly Uint8Array[]): Promise<StatementResult>;
  /** Has no timeout: the duration depends on the reader. */
  copyOut(sql: string): AsyncIterable<Uint8Array>;
  /** True if the database was restarted and the open transaction was lost. */
  readonly isLost: boolean;
}

/** Opens a session with the running database; waits during a restart. */
export type OpenSession = () => Promise<SessionHandle>;

/** Kysely dialect for the embedded database: one connection, used by one caller at a time. */
export function createEmbeddedDialect(
  openSession: OpenSession,
  scope: TransactionScope,
  connectionQueue: FairSemaphore,
): Dialect {
  return statementDialect({
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EmbeddedDriver(openSession, scope, connectionQueue),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
}

class EmbeddedDriver implements Driver {
  readonly #openSession: OpenSession;
  readonly #scope: TransactionScope;
  readonly #connectionQueue: FairSemaphore;

  constructor(openSession: OpenSession, scope: TransactionScope, connectionQueue: FairSemaphore) {
    this.#openSession = openSession;
    this.#scope = scope;
    this.#connectionQueue = connectionQueue;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    // Kysely calls this for each use of engine.db, but not for statements inside a transaction.
    this.#scope.assertOutside();
    const release = await this.#connectionQueue.acquire();
    try {
      return new EmbeddedConnection(await this.#openSession(), release);
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
  readonly #session: SessionHandle;

  constructor(session: SessionHandle, release: () => void) {
    this.#session = session;
    this.release = release;
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, tag } = await this.#session.query(compiled.sql, compiled.parameters);
    const affected = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag)?.[1];
    if (affected === undefined) return { rows: rows as R[] };
    return { rows: rows as R[], numAffectedRows: BigInt(affected) };
  }

  begin(sql: string): void {
    this.#session.begin(sql);
  }

  run(sql: string): Promise<StatementResult> {
    return this.#session.query(sql, []);
  }

  async rollback(): Promise<void> {
    // A restart has rolled back already, and the original error is more useful to the caller.
    if (!this.#session.isLost) await this.run('rollback');
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The engine does not support streaming: use keyset pagination');
  }
}
