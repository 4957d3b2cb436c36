import type { Clock } from '../../../kernel/clock.ts';
import { FairSemaphore } from '../../../kernel/fair-semaphore.ts';
import { WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import type { SearchWorkerMessage, SearchWorkerOptions } from './protocol.ts';
import { SearchWorkerClient } from './search-worker-client.ts';

/** Before the second restart and those after it; the first one is immediate. */
const restartPauseMs = { first: 1_000, last: 60_000 };
/** A thread that ran for so long before it stopped restarts without a pause. */
const recoveredAfterMs = 300_000;

interface SearchThreadOptions {
  readonly clock: Clock;
  workerOptions(): SearchWorkerOptions;
  onFailure(error: Error): void;
  /** A thread that helps it has stopped unexpectedly. It continues, slower. */
  onWarning(error: Error): void;
}

/**
 * A thread with the indexes of its accounts. It starts when it is used. After a failure it starts
 * again when it is used, at once at first, then after longer and longer pauses: an account whose
 * search ends the thread each time must not keep a core busy.
 */
export class SearchThread {
  readonly #options: SearchThreadOptions;
  /** Two at once: one waits in the thread while the other is processed. */
  readonly requests = new FairSemaphore(2);
  #client: SearchWorkerClient | undefined;
  #startedMs = 0;
  /** One after the other, without a long run in between. */
  #failures = 0;
  #pausedUntilMs = 0;
  #isClosed = false;

  constructor(options: SearchThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#client !== undefined;
  }

  /** Until it may start again; 0: it runs, or may start. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#options.clock.monotonicMs());
  }

  /** Throws WorkerThreadStopped while it pauses after a failure, and after `close`. */
  checkAvailable(): void {
    if (this.#isClosed) throw new WorkerThreadStopped('The search thread was closed');
    if (this.pauseMs > 0) throw new WorkerThreadStopped('The search thread pauses after failures');
  }

  /** Starts before its first request, if it may. */
  startAhead(): void {
    if (!this.#isClosed && this.pauseMs === 0) this.#client ??= this.#start(true);
  }

  /** Starts it if it does not run. Throws as `checkAvailable` does. */
  getClient(): SearchWorkerClient {
    this.checkAvailable();
    this.#client ??= this.#start(false);
    return this.#client;
  }

  /** Without effect if it does not run: then it has no indexes. */
  post(message: SearchWorkerMessage): void {
    this.#client?.post(message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.close();
  }

  #start(isAhead: boolean): SearchWorkerClient {
    this.#startedMs = this.#options.clock.monotonicMs();
    const options = { ...this.#options.workerOptions(), isAhead };
    return new SearchWorkerClient(
      options,
      (error) => this.#handleFailure(error),
      (error) => this.#options.onWarning(error),
    );
  }

  #handleFailure(error: Error): void {
    this.#client = undefined;
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#startedMs >= recoveredAfterMs) this.#failures = 0;
    const { first, last } = restartPauseMs;
    if (this.#failures > 0) {
      this.#pausedUntilMs = nowMs + Math.min(last, first * 2 ** (this.#failures - 1));
    }
    this.#failures += 1;
    this.#options.onFailure(error);
  }
}
