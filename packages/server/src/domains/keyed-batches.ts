import { isConnectionError } from '../database/index.ts';

interface Entry<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface KeyedBatchesOptions<T, R> {
  /** How many of the waiting items, of which there is one at least, the next batch has. */
  countNext(waiting: readonly T[]): number;
  /** Returns the result of each item. The error of one item must not fail the others of a batch. */
  write(items: readonly T[]): Promise<readonly R[]>;
}

/**
 * Group commit: items that arrive while a batch of their key is being written share the next one,
 * and therefore one transaction and one fsync. Keys do not wait for each other.
 */
export class KeyedBatches<T, R> {
  readonly #options: KeyedBatchesOptions<T, R>;
  /** Waiting items of the keys that have a batch in progress. */
  readonly #queues = new Map<string, Entry<T, R>[]>();

  constructor(options: KeyedBatchesOptions<T, R>) {
    this.#options = options;
  }

  /** Resolves with the result of the item. If its batch fails, it is written alone. */
  add(key: string, item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const entry = { item, resolve, reject };
    const queue = this.#queues.get(key);
    if (queue) queue.push(entry);
    else {
      const created = [entry];
      this.#queues.set(key, created);
      void this.#run(key, created);
    }
    return promise;
  }

  async #run(key: string, queue: Entry<T, R>[]): Promise<void> {
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
    this.#queues.delete(key);
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
