import { isOutOfReach } from '../../../engine/index.ts';
import { service } from '../../../kernel/service.ts';
import type { App } from '../../ctx.ts';
import { type After, applyOutcomes, type Told } from './store/outcomes.ts';

interface Entry {
  readonly told: Told;
  readonly resolve: (after: After | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Of one transaction. */
const entriesMax = 100;

/** Attempts that end while a commit runs share the next one: one fsync serves them all. */
class Recorder {
  readonly #app: App;
  #waiting: Entry[] = [];
  #isWriting = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Null: another attempted it meanwhile, or it is gone. */
  record(told: Told): Promise<After | null> {
    const { promise, resolve, reject } = Promise.withResolvers<After | null>();
    this.#waiting.push({ told, resolve, reject });
    if (!this.#isWriting) void this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, entriesMax);
      await this.#write(entries).catch(async (error: unknown) => {
        if (isOutOfReach(error)) {
          // Without a database each would wait as long for the same answer.
          for (const { reject } of [...entries, ...this.#waiting.splice(0)]) reject(error);
        } else if (entries.length === 1) entries[0]?.reject(error);
        // One fault is never another's.
        else for (const entry of entries) await this.#write([entry]).catch(entry.reject);
      });
    }
    this.#isWriting = false;
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    const { engine, clock } = this.#app;
    const told = entries.map((entry) => entry.told);
    // One statement is a transaction, and one way to the database instead of three.
    const after = await applyOutcomes(engine.db, told, clock.now());
    for (const [i, { resolve }] of entries.entries()) resolve(after[i] ?? null);
  }
}

export const recorder = service((app: App) => new Recorder(app));
