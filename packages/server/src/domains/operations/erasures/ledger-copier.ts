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
/** After a look that failed. */
const retryMs = 1_000;
/**
 * A transaction commits after the time of its rows, and the clock of another process may be behind:
 * rows this much older than the last look are compared with what is in the file.
 */
const overlapMs = 3_600_000;
const rewriteMs = 86_400_000;
const pageRows = 1_000;
/** A stop does not wait any longer for a database that does not answer. */
const finalSyncTimeoutMs = 2_000;

/**
 * Copies the ledger to a file of the data folder, beside the database and not in it: a restore
 * finds what was erased after its archive was made, though the database is lost. Each process
 * writes its own data folder, with the erasures of all.
 */
class LedgerCopier implements AsyncDisposable {
  readonly #app: App;
  #timer: Disposable | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isOver = false;
  /** By key, the time of rows in the file that are still compared. */
  #copied = new Map<string, number>();
  #lookedAtMs = 0;
  /** Null: what the file holds is not known, and it is written as a whole. */
  #writtenAtMs: number | null = null;
  #error: Error | null = null;
  /** At the last look. */
  #hasFailed = false;

  constructor(app: App) {
    this.#app = app;
    app.disposables.use(this);
  }

  /** Why the file is behind; null where it is not. */
  get error(): Error | null {
    return this.#error;
  }

  start(): void {
    if (this.#isOver) return;
    const ms = this.#hasFailed ? retryMs : intervalMs;
    this.#timer = this.#app.clock.after(ms, () => void this.sync().then(() => this.start()));
  }

  /** Appends what was erased since the last look. Never rejects. */
  sync(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    using _patience = this.#app.clock.after(finalSyncTimeoutMs, resolve);
    await Promise.race([this.sync(), late]);
  }

  async #look(): Promise<void> {
    const now = this.#app.clock.now();
    try {
      const place = await ledgerPath(this.#app.engine.db, this.#app.config);
      const age = now.getTime() - (this.#writtenAtMs ?? Number.NEGATIVE_INFINITY);
      if (age >= rewriteMs) await this.#rewrite(place, now);
      else await this.#append(place.file, now);
      this.#lookedAtMs = now.getTime();
      this.#error = null;
      this.#hasFailed = false;
    } catch (error) {
      // A part of what was appended may be there.
      this.#writtenAtMs = null;
      // A database that does not answer is no fault of the file, and has a check of its own.
      this.#error = isOfFile(error) ? error : null;
      if (!this.#hasFailed) {
        this.#app.log.error({ err: error }, 'erasures could not be copied to the data folder');
      }
      this.#hasFailed = true;
    }
  }

  async #append(file: string, now: Date): Promise<void> {
    const since = new Date(Math.min(this.#lookedAtMs, now.getTime()) - overlapMs);
    for (const [key, at] of this.#copied) if (at < since.getTime()) this.#copied.delete(key);
    const { db } = this.#app.engine;
    if ((await countErasuresSince(db, since)) === this.#copied.size) return;
    for await (const page of readErasuresSince(db, since, pageRows)) {
      const fresh = page.filter((row) => !this.#copied.has(erasureKey(row)));
      await appendToLedger(file, fresh);
      for (const row of fresh) this.#copied.set(erasureKey(row), row.erasedAt.getTime());
    }
  }

  /** At the start, after a failure, and once a day, which drops what is kept no longer. */
  async #rewrite(place: { file: string; databaseId: string }, now: Date): Promise<void> {
    const copied = new Map<string, number>();
    const sinceMs = now.getTime() - overlapMs;
    const note = (rows: readonly Erasure[]): void => {
      for (const row of rows) {
        const at = row.erasedAt.getTime();
        if (at >= sinceMs) copied.set(erasureKey(row), at);
      }
    };
    await writeLedger(place.file, place.databaseId, this.#pages(place, now, note));
    this.#copied = copied;
    this.#writtenAtMs = now.getTime();
  }

  /** What the database has, and what the former file alone has: the database may be older. */
  async *#pages(
    { file, databaseId }: { file: string; databaseId: string },
    now: Date,
    note: (rows: readonly Erasure[]) => void,
  ): AsyncGenerator<readonly Erasure[]> {
    const { engine, config, log } = this.#app;
    const kept = new Date(now.getTime() - config.erasuresKeptDays * 86_400_000);
    for await (const page of readErasuresSince(engine.db, kept, pageRows)) {
      note(page);
      yield page;
    }
    await using former = await openLedger(file);
    if (former?.databaseId !== databaseId) return;
    let missing = 0;
    for await (const page of pagesOf(former.rows)) {
      const lacking = await findMissingErasures(engine.db, page);
      const rows = lacking.filter(({ erasedAt }) => erasedAt >= kept);
      missing += rows.length;
      yield rows;
    }
    if (missing > 0) {
      log.warn({ file, missing }, 'the database lacks erasures of the file: it is an older copy');
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
