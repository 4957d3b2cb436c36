import { isStorageError } from '../../database/index.ts';
import { eventNotifier } from '../../events/commit-notifier.ts';
import { throttleBackgroundWork } from '../../jobs/background-throttle.ts';
import { Poller } from '../../jobs/poller.ts';
import type { App } from '../ctx.ts';
import { processNextBatch } from './process-batch.ts';
import { findAccountsToExtract } from './store/extraction-cursors.ts';

/** After a commit: memories that come together are read together. */
const wakeMs = 100;
const accountsMax = 1_000;
/** Memories that are read in one go. */
const batchMemories = 50;
/** A memory that cannot be written so often is left aside. */
const failuresMax = 3;

/**
 * Reads what memories say, in the background: a loop beside the job worker. As many processes as
 * there are may read; leases keep them from each other's accounts.
 */
export class ExtractionWorker implements AsyncDisposable {
  readonly #app: App;
  readonly #holder: string;
  readonly #listening: Disposable;
  /** By account, how often reading failed since it last went well. */
  readonly #failures = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #loop: Poller;
  /** Aborted while somebody waits for all to be read: nothing rests then. */
  #hurry = new AbortController();
  #hurried = 0;

  constructor(app: App) {
    this.#app = app;
    this.#holder = app.ids.uuid();
    this.#loop = new Poller(app.clock, { wakeMs, look: () => this.#look() });
    this.#listening = eventNotifier.of(app).listen(() => this.#loop.wake());
  }

  start(): void {
    this.#loop.start();
  }

  /** Reads no more by itself, only when it is told to `drain`. */
  rest(): void {
    this.#loop.rest();
  }

  /** Reads everything that is unread now, giving way to nobody. */
  async drain(): Promise<void> {
    this.#hurried += 1;
    this.#hurry.abort();
    try {
      await this.#loop.look();
    } finally {
      this.#hurried -= 1;
      if (this.#hurried === 0) this.#hurry = new AbortController();
    }
  }

  /** Until nothing is unread, or what is left fails. */
  async #look(): Promise<void> {
    try {
      while (await this.#round());
    } catch (error) {
      this.#app.log.error({ err: error }, 'what is unread could not be looked for');
    }
  }

  /** A pass of each account in turn, so that none waits for all of another; whether any went. */
  async #round(): Promise<boolean> {
    const { engine, clock } = this.#app;
    // What could not be recorded would be read again and again.
    if (this.#stop.signal.aborted || !engine.canWrite) return false;
    let isAnyRead = false;
    for (const accountId of await findAccountsToExtract(engine.db, clock.now(), accountsMax)) {
      if (this.#stop.signal.aborted) return false;
      isAnyRead = (await this.#read(accountId)) || isAnyRead;
    }
    return isAnyRead;
  }

  /** After a failure memory by memory, to find the one; whether it went well. */
  async #read(accountId: string): Promise<boolean> {
    const failures = this.#failures.get(accountId) ?? 0;
    const asSilent = failures >= failuresMax;
    const count = failures === 0 ? batchMemories : 1;
    const { signal } = this.#stop;
    const rest = (tookMs: number): Promise<void> => {
      const over = AbortSignal.any([signal, this.#hurry.signal]);
      return throttleBackgroundWork(this.#app, tookMs, over);
    };
    try {
      const going = { holder: this.#holder, count, asSilent, signal, rest };
      const more = await processNextBatch(this.#app, accountId, going);
      if (asSilent || !more) this.#failures.delete(accountId);
      // The next one that fails has failed with the others, and not yet by itself.
      else if (failures > 1) this.#failures.set(accountId, 1);
      return true;
    } catch (error) {
      const context = { err: error, account: accountId };
      this.#app.log.error(context, 'memories could not be read for what they say');
      // What the storage fails is no memory's fault.
      if (!isStorageError(error)) this.#failures.set(accountId, failures + 1);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#listening[Symbol.dispose]();
    await this.#loop.end();
  }
}
