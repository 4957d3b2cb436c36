import type { Clock } from '../../kernel/clock.ts';

/** No turn came in time: whoever asked may come again. */
export class FfmpegBusy extends Error {
  override readonly name = 'FfmpegBusy';
  constructor() {
    super('Too many recordings are being worked on here: come again a little later.');
  }
}

/** How long somebody waits for a turn; left out: until it comes. */
export interface QueueOptions {
  readonly queueTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  begin(): void;
}

/** So many at once; who waits is served in the order of asking. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<Waiter>();
  readonly #clock: Clock;

  constructor(most: number, clock: Clock) {
    this.#free = most;
    this.#clock = clock;
  }

  /** Throws FfmpegBusy, and the signal's reason. What is given back must be disposed of. */
  async acquire({ queueTimeoutMs, signal }: QueueOptions): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#comesUp({ queueTimeoutMs, signal });
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (!isOver) this.#next();
        isOver = true;
      },
    };
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) this.#free += 1;
    else first.begin();
  }

  #comesUp({ queueTimeoutMs, signal }: QueueOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
        patience?.[Symbol.dispose]();
      };
      const waiter: Waiter = {
        begin: () => {
          leave();
          resolve();
        },
      };
      const giveUp = (reason: unknown): void => {
        leave();
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason);
      const patience =
        queueTimeoutMs === undefined
          ? undefined
          : this.#clock.after(queueTimeoutMs, () => giveUp(new FfmpegBusy()));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }
}
