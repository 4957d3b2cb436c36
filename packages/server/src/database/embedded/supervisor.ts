import { setTimeout as wait } from 'node:timers/promises';
import type { IntegrityReport } from '../durability/integrity-report.ts';
import type { EngineLog } from '../engine.ts';
import {
  createStatementTimeoutError,
  EngineClosed,
  type EngineFailed,
  isDamagedDataError,
} from '../errors.ts';
import type { DiskSpaceMonitor } from './disk-space-monitor.ts';
import type { SessionHandle } from './driver.ts';
import { Session, type StatementResult } from './session.ts';
import type { DatabaseThread } from './thread.ts';

export interface SupervisorOptions {
  start(onFailure: (error: EngineFailed) => void): DatabaseThread;
  statementTimeoutMs: number;
  log: EngineLog;
  diskSpace: DiskSpaceMonitor;
  integrity: IntegrityReport;
  /** Called after each start; statements wait until it resolves. `query` runs one. */
  onOpen(query: (sql: string) => Promise<unknown>): Promise<void>;
  onFailure(error: EngineFailed): void;
}

/** One start of the database, from its thread to the statements prepared in it. */
interface DatabaseRun {
  thread: DatabaseThread;
  session: Session;
  isLost: boolean;
  isReadOnly: boolean;
}

const REOPEN_EVERY_MS = 1_000;

/** Upkeep, checkpoints and scripts (migrations) take the time that they take. */
const WITHOUT_LIMIT =
  /;|^\s*(vacuum|analyze|checkpoint|reindex|create|alter|drop)\b|\bpg_backup_start\b/i;

/**
 * Keeps the database thread running. WebAssembly cannot be interrupted from outside, so a statement
 * past its limit costs the thread: it is ended as a kill would end it and started again, which
 * takes about 0.3 s and rolls back the open transaction, as on a server. A thread that stopped on a
 * full disk is started again until it stays: what was acknowledged is in the log. One that stops
 * for another reason (a failed fsync) is not: the reason would still be there.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #run: DatabaseRun;
  #restarting: Promise<void> | undefined;
  /** Set while the database is down for want of room. */
  #down: EngineFailed | undefined;
  #reopening: Promise<void> | undefined;
  #opened = false;
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#run = this.#start();
  }

  /** To be awaited before anything else: a failure until then is its rejection alone. */
  async ready(): Promise<void> {
    await this.#open();
    this.#opened = true;
  }

  /** Gives a function that tells whether the database has run since now: its memory is the same. */
  createSameRunCheck(): () => boolean {
    const run = this.#run;
    return () => run === this.#run && !run.isLost;
  }

  /**
   * Gives the conversation with the running database, in which no transaction is open. Throws
   * EngineClosed after close, EngineFailed while the database is down.
   */
  async openSession(): Promise<SessionHandle> {
    await this.#restarting;
    if (this.#closed) throw new EngineClosed();
    if (this.#down) throw this.#down;
    const run = this.#run;
    await this.#setReadOnly(run, this.#options.diskSpace.isDiskFull);
    return {
      begin: (sql) => run.session.begin(sql),
      query: (sql, parameters) => this.#query(run, sql, parameters),
      copyIn: (sql, input) => run.session.copyIn(sql, input),
      copyOut: (sql) => this.#copyOut(run, sql),
      get isLost() {
        return run.isLost;
      },
    };
  }

  /** Ends the database cleanly; statements already sent are answered first. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#restarting?.catch(() => {});
    await this.#reopening;
    await this.#run.thread.close();
  }

  async #open(): Promise<void> {
    const { thread, session } = this.#run;
    await thread.ready();
    await this.#options.onOpen((sql) => session.query(sql, []));
  }

  #start(): DatabaseRun {
    const thread = this.#options.start((error) => this.#stopped(run, error));
    const session = new Session(thread, (notice) =>
      this.#options.log.debug({ ...notice }, 'notice of the database'),
    );
    const run: DatabaseRun = { thread, session, isLost: false, isReadOnly: false };
    return run;
  }

  /** Before a transaction begins: PostgreSQL itself then refuses each change in it. */
  async #setReadOnly(run: DatabaseRun, readOnly: boolean): Promise<void> {
    if (run.isReadOnly === readOnly) return;
    const value = readOnly ? 'on' : 'off';
    await run.session.query(`set default_transaction_read_only = ${value}`, []);
    run.isReadOnly = readOnly;
  }

  #stopped(run: DatabaseRun, error: EngineFailed): void {
    this.#options.log.error({ error: error.message }, 'the embedded database has stopped');
    run.isLost = true;
    // Who starts it has the error, too.
    if (!this.#opened || run !== this.#run || this.#down) return;
    if (this.#options.diskSpace.detectDiskFull()) {
      this.#down = error;
      this.#reopening = this.#reopen();
    } else this.#options.onFailure(error);
  }

  /** Tries until the database stays open, or the engine is closed. */
  async #reopen(): Promise<void> {
    while (!this.#closed) {
      this.#run = this.#start();
      try {
        await this.#open();
        this.#down = undefined;
        this.#options.log.info({}, 'the embedded database is open again');
        return;
      } catch {
        await wait(REOPEN_EVERY_MS);
      }
    }
  }

  async #query(
    run: DatabaseRun,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<StatementResult> {
    try {
      return await this.#queryWithinLimit(run, sql, parameters);
    } catch (error) {
      this.#noteDamage(error);
      throw error;
    }
  }

  async *#copyOut(run: DatabaseRun, sql: string): AsyncGenerator<Uint8Array> {
    try {
      yield* run.session.copyOut(sql);
    } catch (error) {
      this.#noteDamage(error);
      throw error;
    }
  }

  #noteDamage(error: unknown): void {
    if (isDamagedDataError(error)) this.#options.integrity.recordDamagedPage(error.message);
  }

  async #queryWithinLimit(
    run: DatabaseRun,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<StatementResult> {
    if (WITHOUT_LIMIT.test(sql)) return run.session.query(sql, parameters);
    const limitMs = this.#options.statementTimeoutMs;
    const timer = setTimeout(() => this.#restart(run, sql, limitMs), limitMs);
    try {
      return await run.session.query(sql, parameters);
    } finally {
      clearTimeout(timer);
    }
  }

  #restart(run: DatabaseRun, sql: string, limitMs: number): void {
    if (run !== this.#run || run.isLost) return;
    run.isLost = true;
    this.#options.log.warn({ sql, limitMs }, 'statement past its limit: restarting the database');
    this.#restarting = (async () => {
      try {
        await run.thread.kill(createStatementTimeoutError(limitMs));
        this.#run = this.#start();
        await this.#open();
      } finally {
        // Also where it did not start: it may be opened again later.
        this.#restarting = undefined;
      }
    })();
    // Whoever waits for a conversation gets the error.
    this.#restarting.catch(() => {});
  }
}
