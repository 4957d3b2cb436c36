import { NodeUnavailable } from '../../database/index.ts';
import { perApp } from '../../kernel/per-app.ts';
import { WriteBehindBuffer } from '../../kernel/write-behind-buffer.ts';
import type { App } from '../ctx.ts';
import { indexCache } from './index-cache.ts';
import { setSalience } from './store/documents.ts';

const flushMs = 60_000;
/** Short statements: the embedded engine has one connection, and other requests run in between. */
const batchRows = 100;

/** The salience by memory. */
type SalienceByAccount = Map<string, Map<string, number>>;

/**
 * Buffers salience values, which change with every access, for the index's copy of them. This
 * process ranks by them at once; the table follows within a minute, for indexes that are loaded
 * later or in other processes. A multiplier of at most 5 % tolerates that staleness; the memories
 * themselves are exact.
 */
class SalienceBuffer {
  readonly #app: App;
  readonly #buffer: WriteBehindBuffer<SalienceByAccount>;

  constructor(app: App) {
    this.#app = app;
    // Created first, so that it is disposed after the last flush.
    indexCache.of(app);
    this.#buffer = new WriteBehindBuffer(app, {
      delayMs: flushMs,
      create: () => new Map(),
      write: (byAccount) => this.#write(byAccount),
    });
  }

  /** Updates the salience of memories in the index. */
  record(accountId: string, values: readonly { id: string; salience: number }[]): void {
    if (values.length === 0) return;
    const atMs = this.#app.clock.now().getTime();
    const changes = values.map(({ id, salience }) => ({ id, salience, atMs }));
    indexCache.of(this.#app).setSalience(accountId, changes);
    this.#buffer.change((byAccount) => {
      const pending = byAccount.get(accountId) ?? new Map<string, number>();
      byAccount.set(accountId, pending);
      for (const { id, salience } of values) pending.set(id, salience);
    });
  }

  /** Resolves when everything recorded before is written, by this flush or an earlier one. */
  flush(): Promise<void> {
    return this.#buffer.flush();
  }

  async #write(byAccount: SalienceByAccount): Promise<void> {
    const { engine, clock, log } = this.#app;
    for (const [accountId, saliences] of byAccount) {
      const values = [...saliences].map(([id, salience]) => ({ id, salience }));
      try {
        for (let from = 0; from < values.length; from += batchRows) {
          const step = values.slice(from, from + batchRows);
          await setSalience(engine.db, accountId, step, clock.now());
        }
      } catch (error) {
        // The lost node has been logged; the salience of accounts on other nodes is still written.
        if (error instanceof NodeUnavailable) continue;
        log.warn({ err: error }, 'salience copy to the index failed');
        return;
      }
    }
  }
}

export const salienceBuffer = perApp<App, SalienceBuffer>((app) => new SalienceBuffer(app));
