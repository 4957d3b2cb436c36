import pg from 'pg';
import { isPartial, withoutMark } from '../across-accounts.ts';
import type { IntegrityFindings } from '../durability/integrity-findings.ts';
import { encodeParameter } from '../encode-parameter.ts';
import type { EngineLog } from '../engine.ts';
import { isDamagedDataError, NodeUnavailable, TransactionAborted } from '../errors.ts';
import { DISABLE_STATEMENT_TIMEOUT } from '../transaction.ts';
import type { Statement } from './node-commands.ts';
import type { PartialStatements } from './partial-statements.ts';
import { runAfter, type TimedQueryConfig } from './run-after.ts';
import { isPotentialWrite, type SchemaCheckStatement, type SchemaFence } from './schema-fence.ts';
import type { StatementNames } from './statement-names.ts';
import type { UnavailableNodes } from './unavailable-nodes.ts';

/** Additional time for the server to report a statement timeout. */
const RESPONSE_GRACE_MS = 5_000;

export interface GuardedClientDeps {
  readonly log: EngineLog;
  readonly integrity: IntegrityFindings;
  readonly fence: SchemaFence;
  readonly nodes: UnavailableNodes;
  readonly partialStatements: PartialStatements;
  /** Called after any possible commit and on each new connection. */
  readonly onCommit: () => void;
  readonly names: StatementNames;
  /** Timeout of one statement. */
  readonly limitMs: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
}

/** Commands that commit nothing; others outside a transaction commit. */
const NON_COMMITTING_COMMANDS = new Set(['SELECT', 'BEGIN', 'START', 'ROLLBACK', 'SET', 'SHOW']);
/** Without rows, such a statement has changed nothing: there are no triggers. */
const CHANGES_ITS_ROWS = /^\s*(?:update|delete)\b/i;
const BEGINS = /^(?:begin|start transaction)\b/;
/** Citus sends the nodes nothing of the session: without it, a lock there has no timeout. */
const LOCK_TIMEOUT_NAME = 'mneme_lock_timeout';

/** The fields of a result that Kysely reads. */
type StatementResult = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/** A lost connection rolls back, and the original error is more useful to the caller. */
const rolledBack: StatementResult = { command: 'ROLLBACK', rowCount: null, rows: [] };

/** A pooled connection with parameter encoding, commit detection, timeouts and the schema fence. */
export class GuardedClient {
  readonly #client: pg.PoolClient;
  readonly #deps: GuardedClientDeps;
  #isLost = false;
  /** Until the end of the transaction. */
  #isUnlimited = false;
  #isInTransaction = false;
  /** The name of a begin that is sent with the first statement, which saves a round trip. */
  #pendingBegin: string | null = null;
  /** Why the transaction did not begin; until its rollback nothing is sent. */
  #beginError: unknown = null;
  /** Name of the schema check prepared on this connection. */
  #prepared: string | null = null;
  /** Whether the timeout of locks is prepared on this connection. */
  #hasLockTimeout = false;
  /** The names of the begins prepared on this connection, by their texts. */
  readonly #beginNames = new Map<string, string>();

  constructor(client: pg.PoolClient, deps: GuardedClientDeps) {
    this.#client = client;
    this.#deps = deps;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    if (this.#isLost) {
      if (text === 'rollback') return rolledBack;
      throw new Error('Connection terminated earlier');
    }
    const { fence, onCommit } = this.#deps;
    if (text !== 'rollback') fence.assertUnchanged();
    if (BEGINS.test(text)) return this.#begin(text);
    const isEnd = text === 'commit' || text === 'rollback';
    if (isEnd && !this.#isInTransaction) return this.#endUnbegun(text);
    if (this.#beginError !== null) throw this.#beginError;
    if (text === DISABLE_STATEMENT_TIMEOUT) this.#isUnlimited = true;
    const isRollback = text === 'rollback';
    const result = await (isRollback ? this.#rollback() : this.#sendToNode(text, parameters));
    if (isEnd) {
      this.#isUnlimited = false;
      this.#isInTransaction = false;
    }
    // PostgreSQL responds to the commit of a failed transaction with a rollback and no error.
    if (text === 'commit' && result.command !== 'COMMIT') throw new TransactionAborted();
    const commits = !NON_COMMITTING_COMMANDS.has(result.command);
    if (commits && !(result.rowCount === 0 && CHANGES_ITS_ROWS.test(text))) onCommit();
    return result;
  }

  /** Resolves when the server responds. */
  async ping(): Promise<void> {
    await this.#runQuery({ text: 'select 1', ...this.#timeoutOptions });
  }

  /**
   * A lost connection is discarded even before its end is detected: the next caller gets another.
   */
  release(): void {
    this.#client.release(this.#isLost);
  }

  async #begin(text: string): Promise<StatementResult> {
    const { check } = this.#deps.fence;
    if (check !== null) await this.#prepareCheck(check);
    if (this.#deps.nodes.isDistributed) await this.#prepareLockTimeout();
    this.#pendingBegin = await this.#prepareBegin(text);
    return { command: 'BEGIN', rowCount: null, rows: [] };
  }

  /** Waits shortly, where another statement of the transaction may still wait for a node. */
  async #rollback(): Promise<StatementResult> {
    try {
      return await this.#runQuery({ text: 'rollback', query_timeout: RESPONSE_GRACE_MS });
    } catch (error) {
      if (this.#isLost) return rolledBack;
      throw error;
    }
  }

  /** Ends a transaction that had no statement, or whose begin failed. */
  #endUnbegun(text: 'commit' | 'rollback'): StatementResult {
    const hasFailed = this.#beginError !== null;
    this.#pendingBegin = null;
    this.#beginError = null;
    this.#isUnlimited = false;
    if (text === 'commit' && hasFailed) throw new TransactionAborted();
    return { command: text.toUpperCase(), rowCount: null, rows: [] };
  }

  /**
   * Fails at once, as NodeUnavailable, where the node of the account does not respond. A statement
   * that may leave out accounts is then about the other nodes.
   */
  async #sendToNode(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const { nodes } = this.#deps;
    const statement = { text, parameters };
    const isTransaction = this.#isInTransaction || this.#pendingBegin !== null;
    const canBePartial = !isTransaction && isPartial(text);
    if (canBePartial && !nodes.areAllAvailable) return this.#sendToAvailableNodes(statement);
    // Without waiting where all respond: the first statement of a transaction has to begin it.
    const retried = nodes.areAllAvailable
      ? null
      : await nodes.admit(statement, (config) =>
          this.#runQuery({ ...config, ...this.#timeoutOptions }),
        );
    try {
      const result = await this.#send(text, parameters);
      if (retried !== null) nodes.recordRetry(retried, null);
      return result;
    } catch (error) {
      const explained = await nodes.explain(error, statement);
      if (retried !== null) nodes.recordRetry(retried, explained);
      if (!canBePartial || !(explained instanceof NodeUnavailable) || this.#isLost) throw explained;
      return this.#sendToAvailableNodes(statement);
    }
  }

  #sendToAvailableNodes({ text, parameters }: Statement): Promise<StatementResult> {
    const { fence, partialStatements } = this.#deps;
    return partialStatements.run(
      { text: withoutMark(text), parameters },
      {
        run: (own) => this.#runQuery(this.#toConfig(own.text, own.parameters)),
        write: (own) => {
          const config = this.#toConfig(own.text, own.parameters);
          return fence.check ? this.#runChecked(config, fence.check) : this.#runQuery(config);
        },
      },
    );
  }

  #send(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const { check } = this.#deps.fence;
    const config = this.#toConfig(text, parameters);
    const begin = this.#pendingBegin;
    if (begin !== null) return this.#sendFirst(begin, config, check);
    if (check === null || this.#isInTransaction || !isPotentialWrite(text))
      return this.#runQuery(config);
    return this.#runChecked(config, check);
  }

  /**
   * Sends the begin and the schema check with the first statement of a transaction: from then on a
   * migration waits for its end.
   */
  async #sendFirst(
    begin: string,
    config: TimedQueryConfig,
    check: SchemaCheckStatement | null,
  ): Promise<StatementResult> {
    // Before anything is awaited, since other statements of the transaction may follow at once.
    this.#pendingBegin = null;
    this.#isInTransaction = true;
    let hasBegun = false;
    const begun = (): void => {
      hasBegun = true;
    };
    const preceding = [
      begin,
      ...(this.#hasLockTimeout ? [LOCK_TIMEOUT_NAME] : []),
      ...(check ? [check.name] : []),
    ];
    try {
      return await this.#runAfter(preceding, config, begun);
    } catch (error) {
      if (hasBegun) throw error;
      this.#isInTransaction = false;
      this.#beginError = error;
      await this.#endFailedBegin();
      const explained = await this.#explain(error);
      // Null: another statement has failed meanwhile, and the caller has rolled back.
      if (this.#beginError !== null) this.#beginError = explained;
      throw explained;
    }
  }

  /** Rolls back at once, so that the connection can read why. */
  async #endFailedBegin(): Promise<void> {
    if (this.#isLost) return;
    await this.#runQuery({ text: 'rollback', ...this.#timeoutOptions }).catch(() => {
      this.#isLost = true;
    });
  }

  async #runChecked(
    config: TimedQueryConfig,
    check: SchemaCheckStatement,
  ): Promise<pg.QueryResult> {
    await this.#prepareCheck(check);
    let hasPassed = false;
    const passed = (): void => {
      hasPassed = true;
    };
    try {
      return await this.#runAfter([check.name], config, passed);
    } catch (error) {
      throw hasPassed ? error : await this.#explain(error);
    }
  }

  /** Prepares the check once per connection, which also runs it. */
  async #prepareCheck(check: SchemaCheckStatement): Promise<void> {
    if (this.#prepared === check.name) return;
    await this.#runQuery({ ...check, ...this.#timeoutOptions }).catch(async (error: unknown) => {
      throw await this.#explain(error);
    });
    this.#prepared = check.name;
  }

  /** Prepares it once per connection; outside of a transaction it has no effect. */
  async #prepareLockTimeout(): Promise<void> {
    if (this.#hasLockTimeout) return;
    const text = `set local lock_timeout = ${this.#deps.lockTimeoutMs}`;
    await this.#runQuery({ name: LOCK_TIMEOUT_NAME, text, ...this.#timeoutOptions });
    this.#hasLockTimeout = true;
  }

  /** Prepares a begin once per connection, which also runs it. Returns its name. */
  async #prepareBegin(text: string): Promise<string> {
    const known = this.#beginNames.get(text);
    if (known !== undefined) return known;
    const name = `mneme_begin_${this.#beginNames.size}`;
    await this.#runQuery({ name, text, ...this.#timeoutOptions });
    await this.#runQuery({ text: 'rollback', ...this.#timeoutOptions });
    this.#beginNames.set(text, name);
    return name;
  }

  #explain(error: unknown): Promise<unknown> {
    return this.#deps.fence.explain(error, (config) =>
      this.#runQuery({ ...config, ...this.#timeoutOptions }),
    );
  }

  async #runQuery(config: TimedQueryConfig): Promise<pg.QueryResult> {
    try {
      return await runQuery(this.#client, config);
    } catch (error) {
      this.#recordFailure(error);
      throw error;
    }
  }

  async #runAfter(
    preceding: readonly string[],
    config: TimedQueryConfig,
    onPrecedingDone: () => void,
  ): Promise<pg.QueryResult> {
    try {
      return await runAfter(this.#client, preceding, config, onPrecedingDone);
    } catch (error) {
      this.#recordFailure(error);
      throw error;
    }
  }

  #recordFailure(error: unknown): void {
    this.#isLost ||= isFatalConnectionError(error);
    if (isDamagedDataError(error)) this.#deps.integrity.recordDamagedPage(error.message);
  }

  #toConfig(text: string, parameters: readonly unknown[]): TimedQueryConfig {
    const values = parameters.map(encodeParameter).map((value) => {
      // pg sends a Buffer as bytes, but would first copy a plain Uint8Array.
      if (value === null || typeof value === 'string') return value;
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    });
    // A script of several statements has no parameters and cannot be prepared.
    const name = values.length === 0 ? undefined : this.#deps.names.getName(text);
    return { text, values, ...this.#timeoutOptions, ...(name ? { name } : {}) };
  }

  /** The server enforces the statement timeout; this client-side timeout detects a lost server. */
  get #timeoutOptions(): { query_timeout?: number } {
    return this.#isUnlimited ? {} : { query_timeout: this.#deps.limitMs + RESPONSE_GRACE_MS };
  }
}

/**
 * Uses a callback: the promises that `pg` creates retain each other's results until the next full
 * collection, with pauses of 10 ms and more for large responses.
 */
export const runQuery = (
  client: pg.PoolClient,
  config: TimedQueryConfig,
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    void client.query(config, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

/** "cached plan must not change result type": another version has changed a table. */
const STALE_STATEMENT = '0A000';

/** A fatal error, no response at all, or prepared statements that became invalid. */
const isFatalConnectionError = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) ||
  error.severity === 'FATAL' ||
  error.code === STALE_STATEMENT;
