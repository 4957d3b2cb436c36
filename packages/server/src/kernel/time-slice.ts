import { eventLoopQueue } from './fair-semaphore.ts';

/** Short enough that a request between two slices does not notice. */
const sliceMs = 2;

/** Long work on the event loop, in slices: between two of them others have their turn. */
export class TimeSlice {
  #begunMs = performance.now();

  /** Whether it is time to `yield`. */
  get shouldYield(): boolean {
    return performance.now() - this.#begunMs >= sliceMs;
  }

  /** Resolves when it is this work's turn again; others that are ready have theirs before. */
  async yield(): Promise<void> {
    await eventLoopQueue.yieldToEventLoop();
    this.#begunMs = performance.now();
  }
}
