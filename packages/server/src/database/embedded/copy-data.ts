const HEADER_BYTES = 5;
/** The CopyData message, in both directions. */
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;

/** The request of a `copy … from stdin` followed by its whole input, copied once. */
export function withCopyData(
  query: Uint8Array,
  input: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const parts = [
    query,
    ...input.flatMap((chunk) => [header(COPY_DATA, chunk.length), chunk]),
    header(COPY_DONE, 0),
  ];
  // A separate buffer, so that it is transferable.
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
 * Separates the data of a `copy … to stdout` from the other messages of its response, which arrives
 * in chunks with arbitrary boundaries.
 */
export class CopyDataReader {
  /** The header of the current message, until it is complete. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the message body that have not arrived. */
  #missing = 0;
  readonly #others: Uint8Array[] = [];

  /** Returns the data parts of a chunk, as views of it. */
  read(chunk: Uint8Array): Uint8Array[] {
    const data: Uint8Array[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (this.#missing === 0) {
        at = this.#readHeader(chunk, at);
        continue;
      }
      const part = chunk.subarray(at, at + this.#missing);
      (this.#header[0] === COPY_DATA ? data : this.#others).push(part);
      at += part.length;
      this.#missing -= part.length;
    }
    return data;
  }

  /** All messages that are not data, for `parseBackendResponse`. */
  get others(): Uint8Array {
    return Buffer.concat(this.#others);
  }

  #readHeader(chunk: Uint8Array, from: number): number {
    const part = chunk.subarray(from, from + HEADER_BYTES - this.#headerBytes);
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
