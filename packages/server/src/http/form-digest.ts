import { createHash, type Hash } from 'node:crypto';

/**
 * What a form held, whatever its boundaries and the order of its parts: what an Idempotency-Key is
 * bound to. It is computed while the form comes in, and known when all of it is here.
 */
export class FormDigest {
  readonly #fields: (readonly [name: string, value: string])[] = [];
  readonly #file: Hash = createHash('sha256');
  #filename: string | null = null;
  #filesUnread = 0;
  #isWhole = false;

  addField(name: string, value: string): void {
    this.#fields.push([name, value]);
  }

  /** The bytes of the file, as they pass. */
  async *digestFile(
    filename: string | null,
    bytes: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    this.#filename = filename;
    this.#filesUnread += 1;
    for await (const piece of bytes) {
      this.#file.update(piece);
      yield piece;
    }
    this.#filesUnread -= 1;
  }

  /** A part that nobody reads: what it holds is not known. */
  markUnread(): void {
    this.#filesUnread += 1;
  }

  /** All parts were here. */
  markComplete(): void {
    this.#isWhole = true;
  }

  /** Null where not all of it was read. */
  digest(): Uint8Array | null {
    if (!this.#isWhole || this.#filesUnread > 0) return null;
    const fields = this.#fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return createHash('sha256')
      .update(JSON.stringify({ fields, filename: this.#filename }))
      .update(this.#file.copy().digest())
      .digest();
  }
}
