import type { Clock } from './clock.ts';

const rowsFirst = 4;
const rowsMax = 200;
/** A step as long as this is followed by one as large, a longer one by a smaller. */
const wantedMs = 20;

/**
 * How many rows a step of erasing takes. What a row costs is not known beforehand: a long content
 * or a thousand relationships may hang on it. A step must not hold up others for more than 50 ms.
 */
export class AdaptiveBatch {
  readonly #clock: Clock;
  #rows = rowsFirst;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a step of so many rows; the next one follows from its time. */
  async run<T>(run: (rows: number) => Promise<T>): Promise<T> {
    const begunMs = this.#clock.monotonicMs();
    const result = await run(this.#rows);
    const tookMs = Math.max(1, this.#clock.monotonicMs() - begunMs);
    const fitting = Math.floor((this.#rows * wantedMs) / tookMs);
    this.#rows = Math.max(1, Math.min(fitting, this.#rows * 2, rowsMax));
    return result;
  }
}
