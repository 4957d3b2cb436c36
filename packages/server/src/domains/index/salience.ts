import { service } from '../../kernel/service.ts';
import type { App } from '../ctx.ts';
import { indexShelf } from './shelf.ts';
import { setSalience } from './store.ts';

const flushMs = 60_000;
/** Short statements, since the embedded engine has one connection: others are answered between. */
const stepRows = 100;

/**
 * The index's own copy of salience, which moves with every access. This process ranks by it at
 * once; the table follows within a minute, for indexes that are loaded later or elsewhere. That
 * much staleness a multiplier of at most 5 % can bear; the memories themselves are exact.
 */
class SalienceCopy {
  readonly #app: App;
  #byAccount = new Map<string, Map<string, number>>();
  #timer: Disposable | undefined;
  #flushed: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    // Made first, it is there for the last flush.
    indexShelf.of(app);
    app.disposables.defer(() => this.flush());
  }

  /** Tells the index what the salience of memories is now. */
  record(accountId: string, values: readonly { id: string; salience: number }[]): void {
    if (values.length === 0) return;
    const waiting = this.#byAccount.get(accountId) ?? new Map<string, number>();
    this.#byAccount.set(accountId, waiting);
    const nowMs = this.#app.clock.now().getTime();
    indexShelf.of(this.#app).noteSalience(accountId, values, nowMs);
    for (const { id, salience } of values) waiting.set(id, salience);
    this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
  }

  /** Resolves when all that was recorded before is written, by this flush or an earlier one. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#write());
    return this.#flushed;
  }

  async #write(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const batch = this.#byAccount;
    this.#byAccount = new Map();
    const { engine, clock, log } = this.#app;
    try {
      for (const [accountId, saliences] of batch) {
        const values = [...saliences].map(([id, salience]) => ({ id, salience }));
        for (let from = 0; from < values.length; from += stepRows) {
          const step = values.slice(from, from + stepRows);
          await setSalience(engine.db, accountId, step, clock.now());
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'salience could not be copied to the index');
    }
  }
}

export const salienceCopy = service<App, SalienceCopy>((app) => new SalienceCopy(app));
