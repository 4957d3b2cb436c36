/** Pieces that the worker may be ahead of the reader. */
const PIECES_AHEAD = 4;
/** More than any answer has. */
const UNLIMITED = 2 ** 30;

/** One streamed answer of the worker, which waits while nobody reads its pieces. */
export class StreamedResponse {
  /** How many pieces the worker may send now: shared with it. */
  readonly credit = new SharedArrayBuffer(4);
  readonly #credit = new Int32Array(this.credit);
  readonly #pieces: Uint8Array[] = [];
  #changed = Promise.withResolvers<void>();
  #isComplete = false;
  #isAbandoned = false;
  #error: Error | undefined;

  constructor() {
    Atomics.store(this.#credit, 0, PIECES_AHEAD);
  }

  push(piece: Uint8Array): void {
    if (!this.#isAbandoned) this.#pieces.push(piece);
    this.#changed.resolve();
  }

  /** With the last piece. */
  complete(piece: Uint8Array): void {
    this.#isComplete = true;
    this.push(piece);
  }

  fail(error: Error): void {
    this.#error = error;
    this.#changed.resolve();
  }

  /** A reader that stops early lets the database run to the end of the answer. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const piece = this.#pieces.shift();
        if (piece) {
          yield piece;
          Atomics.add(this.#credit, 0, 1);
          Atomics.notify(this.#credit, 0);
        } else if (this.#error) throw this.#error;
        else if (this.#isComplete) return;
        else {
          await this.#changed.promise;
          this.#changed = Promise.withResolvers();
        }
      }
    } finally {
      this.#isAbandoned = true;
      Atomics.store(this.#credit, 0, UNLIMITED);
      Atomics.notify(this.#credit, 0);
    }
  }
}
