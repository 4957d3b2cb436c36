import pg from 'pg';
import type { IntegrityReport } from '../durability/integrity-report.ts';
import type { EngineLog } from '../engine.ts';
import { isDamagedDataError, TransactionAborted } from '../errors.ts';
import { encodeParameter } from '../parameters.ts';
import { DISABLE_STATEMENT_TIMEOUT } from '../transaction.ts';
import { type FirstStatement, runPairedQuery, type TimedQueryConfig } from './paired-query.ts';
import { isPotentialWrite, type SchemaCheck, type SchemaFence } from './schema-fence.ts';
import type { StatementNames } from './statement-names.ts';

/** After a statement's limit the server has so long to say so. */
const RESPONSE_GRACE_MS = 5_000;

export interface GuardedClientDeps {
  readonly log: EngineLog;
  readonly integrity: IntegrityReport;
  readonly fence: SchemaFence;
  /** Called after whatever may have been a commit, and on each new connection. */
  readonly onCommit: () => void;
  readonly names: StatementNames;
  /** Of one statement. */
  readonly limitMs: number;
}

/** Commands that commit nothing; of others, those outside of a transaction are commits. */
const READS = new Set(['SELECT', 'BEGIN', 'START', 'ROLLBACK', 'SET', 'SHOW']);
const BEGINS = /^(?:begin|start transaction)\b/;

/** What Kysely reads of a result. */
type StatementResult = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/** A connection of the pool, with our parameters, our commit, our limits and the schema's fence. */
export class GuardedClient {
  readonly #client: pg.PoolClient;
  readonly #deps: GuardedClientDeps;
  #isLost = false;
  /** Until the end of its transaction. */
  #isUnlimited = false;
  #isInTransaction = false;
  /** The name of the check that is prepared on this connection. */
  #prepared: string | null = null;

  constructor(client: pg.PoolClient, deps: GuardedClientDeps) {
    this.#client = client;
    this.#deps = deps;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    if (this.#isLost) {
      // Its end takes everything back, and the caller's own error is the one to see.
      if (text === 'rollback') return { command: 'ROLLBACK', rowCount: null, rows: [] };
      throw new Error('Connection terminated before');
    }
    const { fence, onCommit } = this.#deps;
    if (text !== 'rollback') fence.assertUnchanged();
    if (text === DISABLE_STATEMENT_TIMEOUT) this.#isUnlimited = true;
    const result = await this.#send(text, parameters);
    if (text === 'commit' || text === 'rollback') {
      this.#isUnlimited = false;
      this.#isInTransaction = false;
    }
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if (text === 'commit' && result.command !== 'COMMIT') throw new TransactionAborted();
    if (!READS.has(result.command)) onCommit();
    return result;
  }

  /** Resolves when the server answers. */
  async ping(): Promise<void> {
    await this.#ask({ text: 'select 1', ...this.#patience });
  }

  /** One that is lost goes, before its end has even been seen: the next to ask gets another. */
  release(): void {
    this.#client.release(this.#isLost);
  }

  #send(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const { check } = this.#deps.fence;
    if (BEGINS.test(text)) return this.#begin(text, check);
    const config = this.#toConfig(text, parameters);
    if (check === null || this.#isInTransaction || !isPotentialWrite(text))
      return this.#ask(config);
    return this.#askChecked(config, check);
  }

  /** The check comes with it: from then on a migration waits for the end of the transaction. */
  async #begin(text: string, check: SchemaCheck | null): Promise<StatementResult> {
    if (check === null) {
      await this.#ask({ text, ...this.#patience });
    } else {
      await this.#prepareCheck(check);
      try {
        await this.#askPaired([{ text }, { ...check, ...this.#patience }]);
      } catch (error) {
        await this.#endFailedBegin();
        throw await this.#explain(error);
      }
    }
    this.#isInTransaction = true;
    return { command: 'BEGIN', rowCount: null, rows: [] };
  }

  /** Nobody else ends a transaction whose beginning failed. */
  async #endFailedBegin(): Promise<void> {
    if (this.#isLost) return;
    await this.#ask({ text: 'rollback', ...this.#patience }).catch(() => {
      this.#isLost = true;
    });
  }

  async #askChecked(config: TimedQueryConfig, check: SchemaCheck): Promise<StatementResult> {
    await this.#prepareCheck(check);
    let hasPassed = false;
    const passed = (): void => {
      hasPassed = true;
    };
    try {
      return await this.#askPaired([{ name: check.name }, config], passed);
    } catch (error) {
      throw hasPassed ? error : await this.#explain(error);
    }
  }

  /** Once for each connection; it is a check as well. */
  async #prepareCheck(check: SchemaCheck): Promise<void> {
    if (this.#prepared === check.name) return;
    await this.#ask({ ...check, ...this.#patience }).catch(async (error: unknown) => {
      throw await this.#explain(error);
    });
    this.#prepared = check.name;
  }

  #explain(error: unknown): Promise<unknown> {
    return this.#deps.fence.explain(error, (config) => this.#ask({ ...config, ...this.#patience }));
  }

  async #ask(config: TimedQueryConfig): Promise<pg.QueryResult> {
    try {
      return await runQuery(this.#client, config);
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  async #askPaired(
    both: readonly [FirstStatement, TimedQueryConfig],
    onFirst?: () => void,
  ): Promise<pg.QueryResult> {
    try {
      return await runPairedQuery(this.#client, both, onFirst);
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  #note(error: unknown): void {
    this.#isLost ||= isFatalConnectionError(error);
    if (isDamagedDataError(error)) this.#deps.integrity.recordDamagedPage(error.message);
  }

  #toConfig(text: string, parameters: readonly unknown[]): TimedQueryConfig {
    const values = parameters.map(encodeParameter).map((value) => {
      // pg sends a Buffer as bytes and would send a plain Uint8Array by way of a copy.
      if (value === null || typeof value === 'string') return value;
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    });
    // Several statements at once have no parameters, and cannot be prepared.
    const name = values.length === 0 ? undefined : this.#deps.names.getName(text);
    return { text, values, ...this.#patience, ...(name ? { name } : {}) };
  }

  /** The server ends a statement itself; that it is gone, only our own watch can tell. */
  get #patience(): { query_timeout?: number } {
    return this.#isUnlimited ? {} : { query_timeout: this.#deps.limitMs + RESPONSE_GRACE_MS };
  }
}

/**
 * By a callback: the promises that `pg` makes itself hold on to each other's results until the next
 * full collection, with pauses of 10 ms and more where answers are large.
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

/** "cached plan must not change result type": another version has changed a table meanwhile. */
const STALE_STATEMENT = '0A000';

/** The server's last word on a connection, no word at all, or statements that it must forget. */
const isFatalConnectionError = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) ||
  error.severity === 'FATAL' ||
  error.code === STALE_STATEMENT;
