import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import type { SearchWorkerOptions } from './protocol.ts';
import { SearchThread } from './search-thread.ts';

interface SearchThreadsOptions {
  readonly count: number;
  readonly clock: Clock;
  workerOptions(): SearchWorkerOptions;
  /** A thread has stopped unexpectedly: the indexes of its accounts are lost. */
  onFailure(error: Error, hasLost: (accountId: string) => boolean): void;
  /** A thread that helps one of them has stopped unexpectedly. */
  onWarning(error: Error): void;
}

/**
 * The number of an account's thread: each thread has its own accounts. Random ids are divided
 * evenly, whatever is random in them.
 */
export function threadNumberOf(accountId: string, count: number): number {
  if (count === 1) return 0;
  return createHash('sha256').update(accountId).digest().readUInt32BE(0) % count;
}

/** The search threads of the process. Each starts when an account of it is used. */
export class SearchThreads {
  readonly #threads: readonly SearchThread[];

  constructor({ count, clock, workerOptions, onFailure, onWarning }: SearchThreadsOptions) {
    this.#threads = Array.from(
      { length: count },
      (_, number) =>
        new SearchThread({
          clock,
          workerOptions,
          onFailure: (error) =>
            onFailure(error, (accountId) => threadNumberOf(accountId, count) === number),
          onWarning,
        }),
    );
  }

  of(accountId: string): SearchThread {
    return this.#threads[threadNumberOf(accountId, this.#threads.length)] as SearchThread;
  }

  get running(): number {
    return this.#threads.filter(({ isRunning }) => isRunning).length;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
