import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/** Attributes all uses of fair semaphores during `work` to an account. */
export const runForAccount = <T>(accountId: string | null, work: () => T): T =>
  accounts.run(accountId ?? '', work);

/** A queue that serves accounts in round-robin order. */
class RoundRobin<T> {
  /** In the order in which the accounts are served. */
  readonly #byAccount = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#byAccount.size === 0;
  }

  /** Adds an item for the current account (`runForAccount`); the result removes it again. */
  add(item: T): () => void {
    const account = accounts.getStore() ?? '';
    const queue = this.#byAccount.get(account);
    if (queue) queue.push(item);
    else this.#byAccount.set(account, [item]);
    return () => this.#remove(account, item);
  }

  #remove(account: string, item: T): void {
    const queue = this.#byAccount.get(account)?.filter((other) => other !== item) ?? [];
    if (queue.length > 0) this.#byAccount.set(account, queue);
    else this.#byAccount.delete(account);
  }

  /** The first item of the next account. */
  next(): T | undefined {
    for (const [account, queue] of this.#byAccount) {
      const item = queue.shift();
      this.#byAccount.delete(account);
      if (queue.length > 0) this.#byAccount.set(account, queue);
      return item;
    }
    return undefined;
  }
}

/**
 * A semaphore that serves waiting accounts in round-robin order, so that an account with many
 * requests delays only itself.
 */
export class FairSemaphore {
  readonly #waiting = new RoundRobin<() => void>();
  #available: number;

  /** @param permits the maximum number of concurrent holders */
  constructor(permits: number) {
    this.#available = permits;
  }

  /**
   * Resolves with the function that releases the permit.
   * @throws the reason of `signal`, if it is aborted before
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#available > 0) this.#available -= 1;
    else await this.#wait(signal);
    return () => this.#release();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#waiting.add(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Like `acquire`, but waits until no other caller waits. */
  async acquireWhenIdle(): Promise<() => void> {
    for (;;) {
      const release = await this.acquire();
      if (this.#waiting.isEmpty) return release;
      release();
    }
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  #release(): void {
    const next = this.#waiting.next();
    if (next) next();
    else this.#available += 1;
  }
}

/** Schedules long computations: one per iteration of the event loop, with I/O in between. */
class EventLoopQueue {
  readonly #waiting = new RoundRobin<() => void>();
  #isScheduled = false;

  yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.isEmpty) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.next()?.();
      this.#schedule();
    });
  }
}

export const eventLoopYieldQueue = new EventLoopQueue();
