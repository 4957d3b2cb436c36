/** Short enough that a request between two slices does not notice. */
const sliceMs = 5;

/** Long work on the event loop, in slices: between two of them others have their turn. */
export class TimeSlice {
  #begunMs = performance.now();

  /** Whether it is time to `yield`. */
  get isOver(): boolean {
    return performance.now() - this.#begunMs >= sliceMs;
  }

  /** Resolves when everybody else who is ready had a turn; the next slice begins then. */
  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#begunMs = performance.now();
  }
}
