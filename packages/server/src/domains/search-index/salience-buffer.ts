import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { indexCache } from './index-cache.ts';
import { setSalience } from './store/documents.ts';

const flushMs = 60_000;
/** Short statements, since the embedded engine has one connection: others are answered between. */
const batchRows = 100;

/**
 * The index's own copy of salience, which moves with every access. This process ranks by it at
 * once; the table follows within a minute, for indexes that are loaded later or elsewhere. That
 * much staleness a multiplier of at most 5 % can bear; the memories themselves are exact.
 */
class SalienceBuffer {
  readonly #app: App;
  #byAccount = new Map<string, Map<string, number>>();
  #timer: Disposable | undefined;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    // Made first, it is there for the last flush.
    indexCache.of(app);
    app.disposables.defer(() => this.flush());
  }

  /** Tells the index what the salience of memories is now. */
  record(accountId: string, values: readonly { id: string; salience: number }[]): void {
    if (values.length === 0) return;
    const waiting = this.#byAccount.get(accountId) ?? new Map<string, number>();
    this.#byAccount.set(accountId, waiting);
    const nowMs = this.#app.clock.now().getTime();
    indexCache.of(this.#app).setSalience(accountId, values, nowMs);
    for (const { id, salience } of values) waiting.set(id, salience);
    this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
  }

  /** Resolves when all that was recorded before is written, by this flush or an earlier one. */
  flush(): Promise<void> {
    this.#lastFlush = this.#lastFlush.then(() => this.#write());
    return this.#lastFlush;
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
        for (let from = 0; from < values.length; from += batchRows) {
          const step = values.slice(from, from + batchRows);
          await setSalience(engine.db, accountId, step, clock.now());
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'salience could not be copied to the index');
    }
  }
}

export const salienceBuffer = perApp<App, SalienceBuffer>((app) => new SalienceBuffer(app));
