import { bell } from '../../work/bell.ts';
import type { App } from '../ctx.ts';
import { readOn } from './read-on.ts';
import { findUnread } from './store/reading.ts';

const pollMs = 1_000;
/** After a commit: memories that come together are read together. */
const wakeMs = 100;
const accountsMax = 20;

/**
 * Reads what memories say, in the background: a loop beside the job worker. As many processes as
 * there are may read; leases keep them from each other's accounts.
 */
export class Reader implements AsyncDisposable {
  readonly #app: App;
  readonly #holder: string;
  readonly #listening: Disposable;
  #reading: Promise<boolean> = Promise.resolve(false);
  #poll: Disposable | undefined;
  #soon: Disposable | undefined;
  #isStarted = false;
  #isStopping = false;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#listening = bell.of(app).listen(() => this.#wake());
  }

  start(): void {
    this.#isStarted = true;
    this.#poll = this.#app.clock.after(pollMs, () => {
      void this.#look().finally(() => {
        if (!this.#isStopping && this.#isStarted) this.start();
      });
    });
  }

  /** Reads no more by itself, only when it is told to `drain`. */
  rest(): void {
    this.#isStarted = false;
    this.#poll?.[Symbol.dispose]();
  }

  #wake(): void {
    if (!this.#isStarted || this.#isStopping || this.#soon) return;
    this.#soon = this.#app.clock.after(wakeMs, () => {
      this.#soon = undefined;
      void this.#look();
    });
  }

  /** Reads everything that is unread now. */
  async drain(): Promise<void> {
    while (!this.#isStopping && (await this.#look()));
  }

  /** One after the other; whether anything was read. */
  #look(): Promise<boolean> {
    this.#reading = this.#reading.then(async () => {
      // What could not be recorded would be read again and again.
      if (this.#isStopping || this.#app.engine.lacksRoom) return false;
      try {
        const { engine, clock } = this.#app;
        const accounts = await findUnread(engine.db, clock.now(), accountsMax);
        for (const accountId of accounts) {
          while (!this.#isStopping && (await readOn(this.#app, accountId, this.#holder)));
        }
        return accounts.length > 0;
      } catch (error) {
        this.#app.log.error({ err: error }, 'memories could not be read for what they say');
        return false;
      }
    });
    return this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#listening[Symbol.dispose]();
    this.#poll?.[Symbol.dispose]();
    this.#soon?.[Symbol.dispose]();
    await this.#reading;
  }
}
