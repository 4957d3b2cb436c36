/** Reads a request body in parts. A broken connection ends the body and is not an error. */
export class PartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Waits for the next byte; true if there is none. */
  async isExhausted(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#ended) await this.#fill();
    return this.#rest.length === 0;
  }

  async *readPart(bytesMax: number): AsyncGenerator<Uint8Array> {
    let remaining = bytesMax;
    while (remaining > 0 && !(await this.isExhausted())) {
      const chunk = this.#rest.subarray(0, remaining);
      this.#rest = this.#rest.subarray(chunk.length);
      remaining -= chunk.length;
      yield chunk;
    }
  }

  async #fill(): Promise<void> {
    try {
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else this.#rest = value;
    } catch {
      // The connection broke: the received bytes are stored, and the client resumes after them.
      this.#ended = true;
    }
  }

  /** Stops reading. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#source.return?.();
  }
}
