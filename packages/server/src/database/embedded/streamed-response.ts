/** Maximum number of chunks that the worker is ahead of the reader. */
const CHUNKS_AHEAD_MAX = 4;
/** More chunks than any response has. */
const UNLIMITED = 2 ** 30;

/** One streamed response of the worker, which waits for the reader. */
export class StreamedResponse {
  /** Number of chunks that the worker may send, shared with it. */
  readonly credit = new SharedArrayBuffer(4);
  readonly #credit = new Int32Array(this.credit);
  readonly #chunks: Uint8Array[] = [];
  #changed = Promise.withResolvers<void>();
  #isComplete = false;
  #isAbandoned = false;
  #error: Error | undefined;

  constructor() {
    Atomics.store(this.#credit, 0, CHUNKS_AHEAD_MAX);
  }

  push(chunk: Uint8Array): void {
    if (!this.#isAbandoned) this.#chunks.push(chunk);
    this.#changed.resolve();
  }

  /** Call it with the last chunk. */
  complete(chunk: Uint8Array): void {
    this.#isComplete = true;
    this.push(chunk);
  }

  fail(error: Error): void {
    this.#error = error;
    this.#changed.resolve();
  }

  /** If the reader stops early, the database still completes the response. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const chunk = this.#chunks.shift();
        if (chunk) {
          yield chunk;
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
