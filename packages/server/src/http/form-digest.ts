import { createHash, type Hash } from 'node:crypto';

/**
 * A digest of a form that is independent of boundaries and part order, for the Idempotency-Key. It
 * is computed while the form arrives and is available once all parts were read.
 */
export class FormDigest {
  readonly #fields: (readonly [name: string, value: string])[] = [];
  readonly #file: Hash = createHash('sha256');
  #filename: string | null = null;
  #filesUnread = 0;
  #isComplete = false;

  addField(name: string, value: string): void {
    this.#fields.push([name, value]);
  }

  /** Yields the bytes of the file and adds them to the digest. */
  async *digestFile(
    filename: string | null,
    bytes: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    this.#filename = filename;
    this.#filesUnread += 1;
    for await (const chunk of bytes) {
      this.#file.update(chunk);
      yield chunk;
    }
    this.#filesUnread -= 1;
  }

  /** Records a part that is not read, so that there is no digest. */
  markUnread(): void {
    this.#filesUnread += 1;
  }

  /** Records that all parts have arrived. */
  markComplete(): void {
    this.#isComplete = true;
  }

  /** Null if a part was not read. */
  digest(): Uint8Array | null {
    if (!this.#isComplete || this.#filesUnread > 0) return null;
    const fields = this.#fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return createHash('sha256')
      .update(JSON.stringify({ fields, filename: this.#filename }))
      .update(this.#file.copy().digest())
      .digest();
  }
}
