import type { EngineLog } from '../engine.ts';
import { EngineClosed, type EngineFailed, statementTimeout } from '../errors.ts';
import type { Conversation } from './driver.ts';
import { type Result, Session } from './session.ts';
import type { DatabaseThread } from './thread.ts';

export interface SupervisorOptions {
  start(onFailure: (error: EngineFailed) => void): DatabaseThread;
  statementTimeoutMs: number;
  log: EngineLog;
  onFailure(error: EngineFailed): void;
}

/** One start of the database, from its thread to the statements prepared in it. */
interface Run {
  thread: DatabaseThread;
  session: Session;
  lost: boolean;
}

/** Upkeep and scripts (migrations) take the time that they take. */
const WITHOUT_LIMIT = /;|^\s*(vacuum|analyze|checkpoint|reindex|create|alter|drop)\b/i;

/**
 * Keeps the database thread running. WebAssembly cannot be interrupted from outside, so a statement
 * past its limit costs the thread: it is ended as a kill would end it and started again, which
 * takes about 0.3 s and rolls back the open transaction, as on a server. A thread that stops by
 * itself is not started again: its reason (a full disk, a failed fsync) would still be there.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #run: Run;
  #restarting: Promise<void> | undefined;
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#run = this.#start();
  }

  ready(): Promise<void> {
    return this.#run.thread.ready();
  }

  /** Gives the conversation with the running database. Throws EngineClosed after close. */
  async converse(): Promise<Conversation> {
    await this.#restarting;
    if (this.#closed) throw new EngineClosed();
    const run = this.#run;
    return {
      query: (sql, parameters) => this.#query(run, sql, parameters),
      get lost() {
        return run.lost;
      },
    };
  }

  /** Ends the database cleanly; statements already sent are answered first. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#restarting?.catch(() => {});
    await this.#run.thread.close();
  }

  #start(): Run {
    const thread = this.#options.start((error) => {
      this.#options.log.error({ error: error.message }, 'the embedded database has stopped');
      this.#options.onFailure(error);
    });
    const session = new Session(
      (request) => thread.send(request),
      (notice) => this.#options.log.debug({ ...notice }, 'notice of the database'),
    );
    return { thread, session, lost: false };
  }

  async #query(run: Run, sql: string, parameters: readonly unknown[]): Promise<Result> {
    if (WITHOUT_LIMIT.test(sql)) return run.session.query(sql, parameters);
    const limitMs = this.#options.statementTimeoutMs;
    const timer = setTimeout(() => this.#restart(run, sql, limitMs), limitMs);
    try {
      return await run.session.query(sql, parameters);
    } finally {
      clearTimeout(timer);
    }
  }

  #restart(run: Run, sql: string, limitMs: number): void {
    if (run !== this.#run || run.lost) return;
    run.lost = true;
    this.#options.log.warn({ sql, limitMs }, 'statement past its limit: restarting the database');
    this.#restarting = (async () => {
      await run.thread.kill(statementTimeout(limitMs));
      this.#run = this.#start();
      await this.#run.thread.ready();
      this.#restarting = undefined;
    })();
    // Whoever asks for a conversation next gets the error.
    this.#restarting.catch(() => {});
  }
}
