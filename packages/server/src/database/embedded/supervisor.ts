import { setTimeout as wait } from 'node:timers/promises';
import type { IntegrityFindings } from '../durability/integrity-findings.ts';
import type { EngineLog } from '../engine.ts';
import {
  createStatementTimeoutError,
  EngineClosed,
  type EngineFailed,
  isDamagedDataError,
} from '../errors.ts';
import type { DatabaseThread } from './database-thread.ts';
import type { DiskSpaceMonitor } from './disk-space-monitor.ts';
import type { SessionHandle } from './driver.ts';
import { Session, type StatementResult } from './session.ts';

export interface DatabaseSupervisorOptions {
  start(onFailure: (error: EngineFailed) => void): DatabaseThread;
  statementTimeoutMs: number;
  log: EngineLog;
  diskSpace: DiskSpaceMonitor;
  integrity: IntegrityFindings;
  /** Called after each start; statements wait until it resolves. `query` runs a statement. */
  onOpen(query: (sql: string) => Promise<unknown>): Promise<void>;
  onFailure(error: EngineFailed): void;
}

/** One run of the database: its thread and the session with its prepared statements. */
interface DatabaseRun {
  thread: DatabaseThread;
  session: Session;
  isLost: boolean;
  isReadOnly: boolean;
}

const REOPEN_EVERY_MS = 1_000;

/** Maintenance, checkpoints and scripts (migrations) have no time limit. */
const UNLIMITED_STATEMENT =
  /;|^\s*(vacuum|analyze|checkpoint|reindex|create|alter|drop)\b|\bpg_backup_start\b/i;

/**
 * Supervises the database thread. WebAssembly cannot be interrupted from outside, so a statement
 * that exceeds its time limit costs the thread: it is terminated like a killed process and
 * restarted. This takes about 0.3 s and rolls back the open transaction, as on a server.
 *
 * A thread that stopped because the disk is full is restarted until it stays up: acknowledged
 * writes are in the WAL. A thread that stopped for another reason (a failed fsync) is not
 * restarted, since the cause persists.
 */
export class DatabaseSupervisor {
  readonly #options: DatabaseSupervisorOptions;
  #run: DatabaseRun;
  #restarting: Promise<void> | undefined;
  /** Set while the database is down because the disk is full. */
  #failure: EngineFailed | undefined;
  #reopening: Promise<void> | undefined;
  #isOpened = false;
  #isClosed = false;

  constructor(options: DatabaseSupervisorOptions) {
    this.#options = options;
    this.#run = this.#start();
  }

  /** Await it first. An earlier failure only rejects this promise. */
  async ready(): Promise<void> {
    await this.#open();
    this.#isOpened = true;
  }

  /**
   * Returns a function that reports whether the database has run without a restart since the call.
   */
  createSameRunCheck(): () => boolean {
    const run = this.#run;
    return () => run === this.#run && !run.isLost;
  }

  /**
   * Opens a session without an open transaction. Throws EngineClosed after `close`, EngineFailed
   * while the database is down.
   */
  async openSession(): Promise<SessionHandle> {
    await this.#restarting;
    if (this.#isClosed) throw new EngineClosed();
    if (this.#failure) throw this.#failure;
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

  /** Shuts the database down cleanly after it has responded to the statements already sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
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
      this.#options.log.debug({ ...notice }, 'database notice'),
    );
    const run: DatabaseRun = { thread, session, isLost: false, isReadOnly: false };
    return run;
  }

  /** Call it before a transaction begins: PostgreSQL itself then rejects each change in it. */
  async #setReadOnly(run: DatabaseRun, isReadOnly: boolean): Promise<void> {
    if (run.isReadOnly === isReadOnly) return;
    const value = isReadOnly ? 'on' : 'off';
    await run.session.query(`set default_transaction_read_only = ${value}`, []);
    run.isReadOnly = isReadOnly;
  }

  #stopped(run: DatabaseRun, error: EngineFailed): void {
    this.#options.log.error({ error: error.message }, 'the embedded database has stopped');
    run.isLost = true;
    // The caller that starts the database receives the error itself.
    if (!this.#isOpened || run !== this.#run || this.#failure) return;
    if (this.#options.diskSpace.detectDiskFull()) {
      this.#failure = error;
      this.#reopening = this.#reopen();
    } else this.#options.onFailure(error);
  }

  /** Retries until the database stays open or the engine is closed. */
  async #reopen(): Promise<void> {
    while (!this.#isClosed) {
      this.#run = this.#start();
      try {
        await this.#open();
        this.#failure = undefined;
        this.#options.log.info({}, 'embedded database reopened');
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
      this.#recordDamage(error);
      throw error;
    }
  }

  async *#copyOut(run: DatabaseRun, sql: string): AsyncGenerator<Uint8Array> {
    try {
      yield* run.session.copyOut(sql);
    } catch (error) {
      this.#recordDamage(error);
      throw error;
    }
  }

  #recordDamage(error: unknown): void {
    if (isDamagedDataError(error)) this.#options.integrity.recordDamagedPage(error.message);
  }

  async #queryWithinLimit(
    run: DatabaseRun,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<StatementResult> {
    if (UNLIMITED_STATEMENT.test(sql)) return run.session.query(sql, parameters);
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
    this.#options.log.warn({ sql, limitMs }, 'statement timed out, restarting the database');
    this.#restarting = (async () => {
      try {
        await run.thread.kill(createStatementTimeoutError(limitMs));
        this.#run = this.#start();
        await this.#open();
      } finally {
        // Also if the start failed: a later attempt may succeed.
        this.#restarting = undefined;
      }
    })();
    // Callers waiting for a session receive the error.
    this.#restarting.catch(() => {});
  }
}
