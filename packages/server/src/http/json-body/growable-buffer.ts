const initialBytes = 1_024;

/**
 * Collects bytes in one buffer until they are drained. A list of chunks would need hundreds of
 * bytes per chunk, even for packets of a few bytes.
 */
export class GrowableBuffer {
  #buffer = new Uint8Array(initialBytes);
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  append(chunk: Uint8Array): void {
    const newBytes = this.#bytes + chunk.length;
    if (newBytes > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(newBytes, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#bytes));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#bytes);
    this.#bytes = newBytes;
  }

  drain(): Uint8Array {
    const drained = this.#buffer.subarray(0, this.#bytes);
    this.#buffer = new Uint8Array(initialBytes);
    this.#bytes = 0;
    return drained;
  }
}
