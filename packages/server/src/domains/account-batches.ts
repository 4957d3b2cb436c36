import { isConnectionError } from '../database/index.ts';

interface Entry<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface AccountBatchesOptions<T, R> {
  /** How many of the waiting items, of which there is one at least, the next batch has. */
  countNext(waiting: readonly T[]): number;
  /** Returns the result of each item. The error of one item must not fail the others of a batch. */
  write(items: readonly T[]): Promise<readonly R[]>;
}

/**
 * Group commit: items that arrive while a batch of their account is being written share the next
 * one, and therefore one transaction and one fsync. Accounts do not wait for each other.
 */
export class AccountBatches<T, R> {
  readonly #options: AccountBatchesOptions<T, R>;
  /** Waiting items of the accounts that have a batch in progress. */
  readonly #queues = new Map<string, Entry<T, R>[]>();

  constructor(options: AccountBatchesOptions<T, R>) {
    this.#options = options;
  }

  /** Resolves with the result of the item. If its batch fails, it is written alone. */
  add(accountId: string, item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const entry = { item, resolve, reject };
    const queue = this.#queues.get(accountId);
    if (queue) queue.push(entry);
    else {
      const created = [entry];
      this.#queues.set(accountId, created);
      void this.#run(accountId, created);
    }
    return promise;
  }

  async #run(accountId: string, queue: Entry<T, R>[]): Promise<void> {
    /** So many of the first items were in a batch that failed. */
    let failed = 0;
    while (queue.length > 0) {
      const count = failed > 0 ? 1 : this.#options.countNext(queue.map(({ item }) => item));
      const batch = queue.splice(0, count);
      failed = Math.max(0, failed - count);
      const error = await this.#write(batch);
      if (error === null) continue;
      if (isConnectionError(error)) {
        // Each retry would wait again, and repeat what was committed before the loss.
        for (const { reject } of [...batch, ...queue.splice(0)]) reject(error);
        failed = 0;
      } else if (batch.length === 1) batch[0]?.reject(error);
      else {
        queue.unshift(...batch);
        failed = batch.length;
      }
    }
    this.#queues.delete(accountId);
  }

  /** Returns the error of the batch, or null. */
  async #write(batch: readonly Entry<T, R>[]): Promise<unknown> {
    try {
      const results = await this.#options.write(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as R);
      return null;
    } catch (error) {
      return error;
    }
  }
}
