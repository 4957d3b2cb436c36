import { createHash } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';

/** Compares the bytes of one request with its Upload-Checksum: `sha1 base64`. */
export class Checksum {
  readonly #hash;
  readonly #expected: Buffer;

  constructor(header: string) {
    const [algorithm = '', encoded = ''] = header.split(' ');
    this.#hash = createHash(algorithm);
    this.#expected = Buffer.from(encoded, 'base64');
  }

  async *hashStream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#hash.update(piece);
      yield piece;
    }
  }

  /** Throws 460 checksum_mismatch. */
  verify(): void {
    if (!this.#hash.digest().equals(this.#expected)) throw new AppError('checksum_mismatch');
  }
}
