import { crc32 } from 'node:zlib';
import {
  blockBytes,
  bytesOf,
  formatVersion,
  magic,
  type SegmentFooter,
  type SegmentIdentity,
  type SegmentSection,
  trailerBytes,
  type Values,
} from './format.ts';

/** Where the bytes of a segment go, such as a file. */
export interface SegmentSink {
  write(bytes: Uint8Array): Promise<unknown>;
}

/** Writes the sections of a segment one after the other, in blocks. */
export class SegmentWriter {
  readonly #sink: SegmentSink;
  readonly #block = Buffer.allocUnsafe(blockBytes);
  readonly #sections: Record<string, SegmentSection> = {};
  #filled = 0;
  #offset = 0;

  constructor(sink: SegmentSink) {
    this.#sink = sink;
  }

  async begin(): Promise<void> {
    await this.#append(magic);
  }

  /** @param chunks of the values, made one after the other while the former are written */
  async add(name: string, chunks: Iterable<Values>): Promise<void> {
    const offset = this.#offset;
    let crc = 0;
    for (const chunk of chunks) {
      const bytes = bytesOf(chunk);
      crc = crc32(bytes, crc);
      await this.#append(bytes);
    }
    this.#sections[name] = { offset, bytes: this.#offset - offset, crc };
  }

  /** Returns the number of bytes of the segment. */
  async finish(identity: SegmentIdentity, kinds: readonly string[]): Promise<number> {
    const sections = this.#sections;
    const footer: SegmentFooter = { ...identity, format: formatVersion, kinds, sections };
    const text = Buffer.from(JSON.stringify(footer));
    const trailer = Buffer.alloc(trailerBytes);
    trailer.writeUInt32LE(text.length, 0);
    trailer.writeUInt32LE(crc32(text), 4);
    magic.copy(trailer, 8);
    await this.#append(text);
    await this.#append(trailer);
    await this.#flush();
    return this.#offset;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      this.#offset += part.length;
      from += part.length;
      if (this.#filled === blockBytes) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const bytes = this.#block.subarray(0, this.#filled);
    this.#filled = 0;
    if (bytes.length > 0) await this.#sink.write(bytes);
  }
}
