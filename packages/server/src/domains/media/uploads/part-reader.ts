/** Bytes that arrive, in parts of a size; what breaks off ends early and is no fault. */
export class PartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether there is no further byte. Waits for the next one. */
  async isExhausted(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#ended) await this.#fill();
    return this.#rest.length === 0;
  }

  /** At most so many bytes, as they arrive. */
  async *readPart(bytesMax: number): AsyncGenerator<Uint8Array> {
    let left = bytesMax;
    while (left > 0 && !(await this.isExhausted())) {
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async #fill(): Promise<void> {
    try {
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else this.#rest = value;
    } catch {
      // The connection broke: what has come until then counts, and the rest is sent again.
      this.#ended = true;
    }
  }

  /** Reads no more. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#source.return?.();
  }
}
