import { SharedPoller } from '../../../database/index.ts';
import {
  countErasuresSince,
  type Erasure,
  erasureKey,
  findMissingErasures,
  readErasuresSince,
} from '../../../instance/erasure-ledger.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import { appendToLedger, ledgerPath, openLedger, writeLedger } from './ledger-file.ts';

const intervalMs = 15_000;
/** After a failed sync. */
const retryMs = 1_000;
/**
 * Transactions commit after the time of their rows, and clocks of processes differ: rows up to this
 * much older than the last sync are compared with the file.
 */
const overlapMs = 3_600_000;
const rewriteMs = 86_400_000;
const pageRows = 1_000;
/** The shutdown does not wait longer for a database that does not respond. */
const finalSyncTimeoutMs = 2_000;

/**
 * Copies the ledger to a file in the data folder, outside the database: after a loss of the
 * database, a restore still knows the erasures made after its archive. Each process writes to its
 * own data folder, with the erasures of all processes.
 */
class LedgerCopier implements AsyncDisposable {
  readonly #app: App;
  readonly #poller: SharedPoller;
  /** Time by key of rows in the file that are still compared. */
  #copied = new Map<string, number>();
  #lastSyncMs = 0;
  /** Null: the content of the file is unknown, so it is rewritten. */
  #writtenAtMs: number | null = null;
  #error: Error | null = null;
  /** Of the last sync. */
  #hasFailed = false;

  constructor(app: App) {
    this.#app = app;
    this.#poller = new SharedPoller(app, {
      topic: 'erasure-ledger',
      intervalMs,
      wakeDelayMs: retryMs,
      poll: async () => {
        await this.#sync();
        if (this.#hasFailed) this.#poller.wake();
      },
    });
    app.disposables.use(this);
  }

  /** Why the file is outdated; null: it is up to date. */
  get error(): Error | null {
    return this.#error;
  }

  start(): void {
    this.#poller.start();
  }

  /** Appends erasures since the last sync. Never rejects. */
  sync(): Promise<void> {
    return this.#poller.poll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise: timedOut, resolve } = Promise.withResolvers<void>();
    using _timeout = this.#app.clock.after(finalSyncTimeoutMs, resolve);
    await Promise.race([this.#poller.stop().then(() => this.#sync()), timedOut]);
  }

  async #sync(): Promise<void> {
    const now = this.#app.clock.now();
    try {
      const ledger = await ledgerPath(this.#app.engine.db, this.#app.config);
      const age = now.getTime() - (this.#writtenAtMs ?? Number.NEGATIVE_INFINITY);
      if (age >= rewriteMs) await this.#rewrite(ledger, now);
      else await this.#append(ledger.file, now);
      this.#lastSyncMs = now.getTime();
      this.#error = null;
      this.#hasFailed = false;
    } catch (error) {
      // The file may contain a part of the append.
      this.#writtenAtMs = null;
      // An unreachable database is not an error of the file, and has its own check.
      this.#error = isOfFile(error) ? error : null;
      if (!this.#hasFailed) {
        this.#app.log.error({ err: error }, 'erasure ledger copy to the data folder failed');
      }
      this.#hasFailed = true;
    }
  }

  async #append(file: string, now: Date): Promise<void> {
    const since = new Date(Math.min(this.#lastSyncMs, now.getTime()) - overlapMs);
    for (const [key, at] of this.#copied) if (at < since.getTime()) this.#copied.delete(key);
    const { db } = this.#app.engine;
    if ((await countErasuresSince(db, since)) === this.#copied.size) return;
    this.#poller.shareIfLeader();
    for await (const page of readErasuresSince(db, since, pageRows)) {
      const added = page.filter((row) => !this.#copied.has(erasureKey(row)));
      await appendToLedger(file, added);
      for (const row of added) this.#copied.set(erasureKey(row), row.erasedAt.getTime());
    }
  }

  /** Runs at the start, after a failure, and daily; also drops rows past their retention. */
  async #rewrite(ledger: { file: string; databaseId: string }, now: Date): Promise<void> {
    const copied = new Map<string, number>();
    const sinceMs = now.getTime() - overlapMs;
    const remember = (rows: readonly Erasure[]): void => {
      for (const row of rows) {
        const at = row.erasedAt.getTime();
        if (at >= sinceMs) copied.set(erasureKey(row), at);
      }
    };
    await writeLedger(ledger.file, ledger.databaseId, this.#pages(ledger, now, remember));
    this.#copied = copied;
    this.#writtenAtMs = now.getTime();
  }

  /** Rows of the database, and rows only in the former file: the database may be older. */
  async *#pages(
    { file, databaseId }: { file: string; databaseId: string },
    now: Date,
    remember: (rows: readonly Erasure[]) => void,
  ): AsyncGenerator<readonly Erasure[]> {
    const { engine, config, log } = this.#app;
    const retainedSince = new Date(now.getTime() - config.erasuresKeptDays * 86_400_000);
    for await (const page of readErasuresSince(engine.db, retainedSince, pageRows)) {
      remember(page);
      yield page;
    }
    await using formerFile = await openLedger(file);
    if (formerFile?.databaseId !== databaseId) return;
    let missing = 0;
    for await (const page of pagesOf(formerFile.rows)) {
      const missingRows = await findMissingErasures(engine.db, page);
      const rows = missingRows.filter(({ erasedAt }) => erasedAt >= retainedSince);
      missing += rows.length;
      yield rows;
    }
    if (missing > 0) {
      log.warn({ file, missing }, 'erasures missing in the database: it is older than the file');
    }
  }
}

const isOfFile = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

async function* pagesOf(rows: AsyncIterable<Erasure>): AsyncGenerator<Erasure[]> {
  let page: Erasure[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export const ledgerCopier = perApp((app: App) => new LedgerCopier(app));
