/** Calls that nobody waits for one by one; the first fault aborts the run. */
export class InFlightCalls {
  readonly #abort: AbortController;
  readonly #running = new Set<Promise<void>>();

  constructor(abort: AbortController) {
    this.#abort = abort;
  }

  add(call: Promise<void>): void {
    const ended = call
      .catch((error: unknown) => this.#abort.abort(error))
      .finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }

  /** Resolves when all have ended; rejects with the first fault. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#running);
    this.#abort.signal.throwIfAborted();
  }
}
