const initialBytes = 1_024;

/**
 * Bytes that belong together, until they are taken. They are copied into one buffer: an object for
 * each piece takes hundreds of bytes, however few bytes of the body a packet has.
 */
export class GrowableBuffer {
  #buffer = new Uint8Array(initialBytes);
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  append(piece: Uint8Array): void {
    const needed = this.#bytes + piece.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#bytes));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#bytes);
    this.#bytes = needed;
  }

  drain(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#bytes);
    this.#buffer = new Uint8Array(initialBytes);
    this.#bytes = 0;
    return taken;
  }
}
