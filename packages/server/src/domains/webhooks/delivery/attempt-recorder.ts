import { isConnectionError } from '../../../database/index.ts';
import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import { type AttemptRecord, recordAttempts, type WebhookState } from './store/attempts.ts';

interface PendingRecord {
  readonly attempt: AttemptRecord;
  readonly resolve: (after: WebhookState | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Per transaction. */
const entriesMax = 100;

/** Attempts that end during a commit share the next one, and therefore one fsync. */
class AttemptRecorder {
  readonly #app: App;
  #pending: PendingRecord[] = [];
  #isWriting = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Null: another process attempted the delivery, or it is deleted. */
  record(attempt: AttemptRecord): Promise<WebhookState | null> {
    const { promise, resolve, reject } = Promise.withResolvers<WebhookState | null>();
    this.#pending.push({ attempt, resolve, reject });
    if (!this.#isWriting) void this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#pending.length > 0) {
      const entries = this.#pending.splice(0, entriesMax);
      await this.#write(entries).catch(async (error: unknown) => {
        if (isConnectionError(error)) {
          // Without a database connection, retrying each entry would only repeat the timeout.
          for (const { reject } of [...entries, ...this.#pending.splice(0)]) reject(error);
        } else if (entries.length === 1) entries[0]?.reject(error);
        // Retry individually, so that one error does not fail the others.
        else for (const entry of entries) await this.#write([entry]).catch(entry.reject);
      });
    }
    this.#isWriting = false;
  }

  async #write(entries: readonly PendingRecord[]): Promise<void> {
    const { engine, clock } = this.#app;
    const attempts = entries.map((entry) => entry.attempt);
    // A single statement is its own transaction, with one round trip instead of three.
    const after = await recordAttempts(engine.db, attempts, clock.now());
    for (const [i, { resolve }] of entries.entries()) resolve(after[i] ?? null);
  }
}

export const attemptRecorder = perApp((app: App) => new AttemptRecorder(app));
