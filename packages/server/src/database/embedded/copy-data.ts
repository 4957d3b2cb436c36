const HEADER_BYTES = 5;
/** The message CopyData, in both directions. */
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;

/** The request of a `copy … from stdin` followed by all of its input, copied once. */
export function withCopyData(
  query: Uint8Array,
  input: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const parts = [
    query,
    ...input.flatMap((chunk) => [header(COPY_DATA, chunk.length), chunk]),
    header(COPY_DONE, 0),
  ];
  // Of a buffer of its own, which can be moved.
  const request = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0));
  let at = 0;
  for (const part of parts) {
    request.set(part, at);
    at += part.length;
  }
  return request;
}

function header(code: number, bodyBytes: number): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt8(code);
  bytes.writeInt32BE(bodyBytes + HEADER_BYTES - 1, 1);
  return bytes;
}

/**
 * Separates the data of a `copy … to stdout` from the other messages of its answer, which arrives
 * in pieces that end anywhere.
 */
export class CopyDataReader {
  /** Of the message being read, until it is complete. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the message's body that are still to come. */
  #missing = 0;
  readonly #others: Uint8Array[] = [];

  /** Gives the parts of a piece that are data; they are views of it. */
  read(piece: Uint8Array): Uint8Array[] {
    const data: Uint8Array[] = [];
    for (let at = 0; at < piece.length; ) {
      if (this.#missing === 0) {
        at = this.#readHeader(piece, at);
        continue;
      }
      const part = piece.subarray(at, at + this.#missing);
      (this.#header[0] === COPY_DATA ? data : this.#others).push(part);
      at += part.length;
      this.#missing -= part.length;
    }
    return data;
  }

  /** All messages that are no data, for `readAnswer`. */
  get others(): Uint8Array {
    return Buffer.concat(this.#others);
  }

  #readHeader(piece: Uint8Array, from: number): number {
    const part = piece.subarray(from, from + HEADER_BYTES - this.#headerBytes);
    this.#header.set(part, this.#headerBytes);
    this.#headerBytes += part.length;
    if (this.#headerBytes === HEADER_BYTES) {
      this.#headerBytes = 0;
      this.#missing = this.#header.readInt32BE(1) - (HEADER_BYTES - 1);
      if (this.#header[0] !== COPY_DATA) this.#others.push(Buffer.from(this.#header));
    }
    return from + part.length;
  }
}
