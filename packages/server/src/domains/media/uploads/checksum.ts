import { createHash } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';

/** Verifies the bytes of one request against its header Upload-Checksum: `sha1 <base64>`. */
export class ChecksumVerifier {
  readonly #hash;
  readonly #expected: Buffer;

  constructor(header: string) {
    const [algorithm = '', encoded = ''] = header.split(' ');
    this.#hash = createHash(algorithm);
    this.#expected = Buffer.from(encoded, 'base64');
  }

  async *hashStream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Throws 460 checksum_mismatch. */
  verify(): void {
    if (!this.#hash.digest().equals(this.#expected)) throw new AppError('checksum_mismatch');
  }
}
