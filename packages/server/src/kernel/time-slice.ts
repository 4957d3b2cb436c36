import { eventLoopYieldQueue } from './fair-semaphore.ts';

/** Short enough not to delay a request noticeably. */
const sliceMs = 2;

/** Divides long work on the event loop into slices, with other work in between. */
export class TimeSlice {
  #startedMs = performance.now();

  /** Whether the slice is over and the work should call `yield`. */
  get shouldYield(): boolean {
    return performance.now() - this.#startedMs >= sliceMs;
  }

  /** Resolves after other ready work has run. */
  async yield(): Promise<void> {
    await eventLoopYieldQueue.yieldToEventLoop();
    this.#startedMs = performance.now();
  }
}
