import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/** Whatever the work asks of fair queues counts as this account's. */
export const runForAccount = <T>(accountId: string | null, work: () => T): T =>
  accounts.run(accountId ?? '', work);

/** What waits, by account. */
class RoundRobin<T> {
  /** In the order in which accounts have their turns. */
  readonly #byAccount = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#byAccount.size === 0;
  }

  /** For the account that the caller works for. */
  add(item: T): void {
    const account = accounts.getStore() ?? '';
    const own = this.#byAccount.get(account);
    if (own) own.push(item);
    else this.#byAccount.set(account, [item]);
  }

  /** The first of the account whose turn it is. */
  next(): T | undefined {
    for (const [account, own] of this.#byAccount) {
      const item = own.shift();
      this.#byAccount.delete(account);
      if (own.length > 0) this.#byAccount.set(account, own);
      return item;
    }
    return undefined;
  }
}

/**
 * A queue for something that a few may hold at once. Accounts have their turns one after the other,
 * each in its own order: one that asks for much waits for itself.
 */
export class FairSemaphore {
  readonly #waiting = new RoundRobin<() => void>();
  #free: number;

  /** @param most how many hold it at once */
  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves when it is the caller's turn, with the function that ends the turn. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return () => this.#release();
  }

  /** The same once nobody else waits. */
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
    else this.#free += 1;
  }
}

/** Who waits for the event loop: each has a turn of its own, with input and output between. */
class EventLoopQueue {
  readonly #waiting = new RoundRobin<() => void>();
  #isPlanned = false;

  yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.isEmpty) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#waiting.next()?.();
      this.#plan();
    });
  }
}

export const eventLoopQueue = new EventLoopQueue();
