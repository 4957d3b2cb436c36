import { isConnectionError } from '../../../database/index.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import { type AttemptRecord, recordAttempts, type WebhookState } from './store/attempts.ts';

interface PendingRecord {
  readonly attempt: AttemptRecord;
  readonly resolve: (after: WebhookState | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Of one transaction. */
const entriesMax = 100;

/** Attempts that end while a commit runs share the next one: one fsync serves them all. */
class AttemptRecorder {
  readonly #app: App;
  #waiting: PendingRecord[] = [];
  #isWriting = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Null: another attempted it meanwhile, or it is gone. */
  record(told: AttemptRecord): Promise<WebhookState | null> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookState | null>();
    this.#waiting.push({ attempt: told, resolve, reject });
    if (!this.#isWriting) void this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, entriesMax);
      await this.#write(entries).catch(async (error: unknown) => {
        if (isConnectionError(error)) {
          // Without a database each would wait as long for the same answer.
          for (const { reject } of [...entries, ...this.#waiting.splice(0)]) reject(error);
        } else if (entries.length === 1) entries[0]?.reject(error);
        // One fault is never another's.
        else for (const entry of entries) await this.#write([entry]).catch(entry.reject);
      });
    }
    this.#isWriting = false;
  }

  async #write(entries: readonly PendingRecord[]): Promise<void> {
    const { engine, clock } = this.#app;
    const told = entries.map((entry) => entry.attempt);
    // One statement is a transaction, and one way to the database instead of three.
    const after = await recordAttempts(engine.db, told, clock.now());
    for (const [i, { resolve }] of entries.entries()) resolve(after[i] ?? null);
  }
}

export const attemptRecorder = perApp((app: App) => new AttemptRecorder(app));
