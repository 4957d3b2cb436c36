import type { WireValue } from '../encode-parameter.ts';

/** Format codes of values in the protocol. */
export const TEXT_FORMAT = 0;
export const BINARY_FORMAT = 1;

/**
 * Writes messages of PostgreSQL's frontend protocol into one buffer.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class RequestWriter {
  #buffer = Buffer.allocUnsafe(16_384);
  #length = 0;

  /** Runs a script of one or more statements (simple protocol), which includes a Sync. */
  query(sql: string): this {
    const start = this.#open('Q');
    this.#text(sql);
    return this.#close(start);
  }

  /** Prepares `sql` under a name. Each Parse replaces the unnamed statement. */
  parse(name: string, sql: string): this {
    const start = this.#open('P');
    this.#text(name);
    this.#text(sql);
    this.#int16(0);
    return this.#close(start);
  }

  describe(name: string): this {
    const start = this.#open('D');
    this.#byte('S');
    this.#text(name);
    return this.#close(start);
  }

  /** Binds values to a prepared statement; `formats` are the format codes of the result columns. */
  bind(name: string, values: readonly WireValue[], formats: readonly number[]): this {
    const start = this.#open('B');
    this.#text('');
    this.#text(name);
    this.#int16(values.length);
    for (const value of values) {
      this.#int16(value instanceof Uint8Array ? BINARY_FORMAT : TEXT_FORMAT);
    }
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(formats.length);
    for (const format of formats) this.#int16(format);
    return this.#close(start);
  }

  execute(): this {
    const start = this.#open('E');
    this.#text('');
    this.#int32(0);
    return this.#close(start);
  }

  /** Closes a prepared statement; no error if it does not exist. */
  closeStatement(name: string): this {
    const start = this.#open('C');
    this.#byte('S');
    this.#text(name);
    return this.#close(start);
  }

  sync(): this {
    return this.#close(this.#open('S'));
  }

  /** Returns the bytes written since the last call, in a transferable buffer. */
  drain(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#length);
    bytes.set(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    // A single large insert must not retain its memory forever.
    if (this.#buffer.length > 1_048_576) this.#buffer = Buffer.allocUnsafe(16_384);
    return bytes;
  }

  #open(code: string): number {
    this.#byte(code);
    const start = this.#length;
    this.#int32(0);
    return start;
  }

  /** Writes the length of a message, which includes itself but not the type byte. */
  #close(start: number): this {
    this.#buffer.writeInt32BE(this.#length - start, start);
    return this;
  }

  #value(value: WireValue): void {
    if (value === null) {
      this.#int32(-1);
      return;
    }
    if (typeof value !== 'string') {
      this.#int32(value.byteLength);
      this.#reserve(value.byteLength);
      this.#buffer.set(value, this.#length);
      this.#length += value.byteLength;
      return;
    }
    const at = this.#length;
    this.#int32(0);
    this.#utf8(value);
    this.#buffer.writeInt32BE(this.#length - at - 4, at);
  }

  #text(text: string): void {
    this.#utf8(text);
    this.#reserve(1);
    this.#buffer[this.#length] = 0;
    this.#length += 1;
  }

  #utf8(text: string): void {
    // UTF-8 needs at most three bytes per UTF-16 unit.
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
  }

  #byte(character: string): void {
    this.#reserve(1);
    this.#buffer[this.#length] = character.charCodeAt(0);
    this.#length += 1;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#length = this.#buffer.writeUInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeInt32BE(value, this.#length);
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
