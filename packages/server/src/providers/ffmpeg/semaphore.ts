import type { Clock } from '../../kernel/clock.ts';

/** No permit was available in time; the caller may retry. */
export class FfmpegBusy extends Error {
  override readonly name = 'FfmpegBusy';
  constructor() {
    super('Too many recordings are being processed. Retry later.');
  }
}

/** Timeout of the queue; default: none. */
export interface QueueOptions {
  readonly queueTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  begin(): void;
}

/** Counting semaphore; waiters are served in order. */
export class Semaphore {
  #available: number;
  readonly #waiting = new Set<Waiter>();
  readonly #clock: Clock;

  constructor(limit: number, clock: Clock) {
    this.#available = limit;
    this.#clock = clock;
  }

  /** Throws FfmpegBusy and the signal's reason. Dispose the result to release the permit. */
  async acquire({ queueTimeoutMs, signal }: QueueOptions): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#available > 0) this.#available -= 1;
    else await this.#waitForPermit({ queueTimeoutMs, signal });
    let isReleased = false;
    return {
      [Symbol.dispose]: () => {
        if (!isReleased) this.#next();
        isReleased = true;
      },
    };
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) this.#available += 1;
    else first.begin();
  }

  #waitForPermit({ queueTimeoutMs, signal }: QueueOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const removeWaiter = (): void => {
        this.#waiting.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
        timer?.[Symbol.dispose]();
      };
      const waiter: Waiter = {
        begin: () => {
          removeWaiter();
          resolve();
        },
      };
      const rejectWaiter = (reason: unknown): void => {
        removeWaiter();
        reject(reason);
      };
      const onAbort = (): void => rejectWaiter(signal?.reason);
      const timer =
        queueTimeoutMs === undefined
          ? undefined
          : this.#clock.after(queueTimeoutMs, () => rejectWaiter(new FfmpegBusy()));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }
}
