import type { Clock } from './clock.ts';

const initialRows = 4;
const rowsMax = 200;
/** The target duration of a step, which determines the size of the next one. */
const targetMs = 20;

/**
 * Adapts the number of rows per step of an erasure. The cost of a row is unknown: it may have a
 * long content or a thousand relationships. A step must not delay others for more than 50 ms.
 */
export class AdaptiveBatchSize {
  readonly #clock: Clock;
  #rows = initialRows;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a step; its duration determines the rows of the next one. */
  async run<T>(run: (rows: number) => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    const result = await run(this.#rows);
    const elapsedMs = Math.max(1, this.#clock.monotonicMs() - startedMs);
    const fitting = Math.floor((this.#rows * targetMs) / elapsedMs);
    this.#rows = Math.max(1, Math.min(fitting, this.#rows * 2, rowsMax));
    return result;
  }
}
