/** Runs calls one at a time, in their order. The failure of one does not affect the next ones. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all calls so far have ended. */
  async waitForAll(): Promise<void> {
    await this.#last;
  }
}
