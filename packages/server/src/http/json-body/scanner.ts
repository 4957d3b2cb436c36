import { limits } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Reports the items of the list, as offsets in the current chunk. */
export interface ListItemListener {
  /** An item may begin at this offset, after the opening bracket or a comma. */
  itemStart(offset: number): void;
  /** The item ends before this offset, at a comma or the closing bracket. */
  itemEnd(offset: number): void;
}

/** Longer than the name of any list. */
const keyBytesMax = 64;

const tooMany = (message: string): AppError => new AppError('payload_too_large', { message });

/**
 * Scans JSON byte by byte as it arrives and rejects bodies with too much nesting or too many tokens
 * or entries. It reports the items of one list of the outermost object. It does not validate: its
 * input may still be invalid JSON.
 */
export class JsonScanner {
  readonly #list: Buffer | null;
  readonly #events: ListItemListener | null;
  #depth = 0;
  #tokens = 0;
  /** Commas so far in each open container. */
  readonly #commas = new Uint32Array(limits.jsonDepthMax + 1);
  #inString = false;
  #escaped = false;
  /** Inside a number or a literal. */
  #inScalar = false;
  /** The last string of the outermost object, which may be a key; null if it is too long. */
  #key: number[] | null = null;
  #keyIsList = false;
  #inList = false;

  constructor(list: string | null, events: ListItemListener | null) {
    this.#list = list === null ? null : Buffer.from(list);
    this.#events = events;
  }

  get inString(): boolean {
    return this.#inString;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Throws 413 payload_too_large. */
  write(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i += 1) {
      if (this.#inString) i = this.#readString(chunk, i);
      else {
        const byte = chunk[i] as number;
        if (isSpace(byte)) this.#inScalar = false;
        else this.#readToken(byte, i);
      }
    }
  }

  /** Continues inside a string; returns the offset of its last byte in the chunk. */
  #readString(chunk: Uint8Array, from: number): number {
    let i = from;
    let escaped = this.#escaped;
    for (; i < chunk.length; i += 1) {
      const byte = chunk[i];
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) break;
    }
    this.#escaped = escaped;
    this.#inString = i === chunk.length;
    if (this.#key === null) return i;
    if (this.#key.length + i - from > keyBytesMax) this.#key = null;
    else this.#key.push(...chunk.subarray(from, i));
    return i;
  }

  #readToken(byte: number, offset: number): void {
    if (byte === quote) {
      this.#count();
      this.#inString = true;
      this.#inScalar = false;
      if (this.#depth === 1 && this.#list !== null) this.#key = [];
    } else if (byte === openBrace || byte === openBracket) this.#open(byte, offset);
    else if (byte === closeBrace || byte === closeBracket) this.#close(offset);
    else if (byte === comma || byte === colon) this.#separate(byte, offset);
    else if (!this.#inScalar) {
      this.#count();
      this.#inScalar = true;
    }
  }

  #count(): void {
    this.#tokens += 1;
    if (this.#tokens <= limits.jsonTokensMax) return;
    throw tooMany(`The body has more than ${limits.jsonTokensMax} JSON tokens.`);
  }

  #open(byte: number, offset: number): void {
    this.#count();
    this.#inScalar = false;
    this.#depth += 1;
    if (this.#depth > limits.jsonDepthMax) {
      throw tooMany(`The body nests more than ${limits.jsonDepthMax} levels deep.`);
    }
    this.#commas[this.#depth] = 0;
    if (this.#depth !== 2 || !this.#keyIsList) return;
    this.#keyIsList = false;
    if (byte !== openBracket) return;
    this.#inList = true;
    this.#events?.itemStart(offset + 1);
  }

  #close(offset: number): void {
    this.#count();
    this.#inScalar = false;
    if (this.#depth === 2 && this.#inList) {
      this.#inList = false;
      this.#events?.itemEnd(offset);
    }
    // The parser rejects unbalanced brackets.
    this.#depth = Math.max(0, this.#depth - 1);
  }

  #separate(byte: number, offset: number): void {
    this.#count();
    this.#inScalar = false;
    if (byte === colon) {
      if (this.#depth === 1) this.#keyIsList = this.#isList();
      return;
    }
    this.#keyIsList = false;
    const commas = (this.#commas[this.#depth] ?? 0) + 1;
    this.#commas[this.#depth] = commas;
    if (commas >= limits.jsonEntriesMax) {
      const max = limits.jsonEntriesMax;
      throw tooMany(`An array or object in the body has more than ${max} entries.`);
    }
    if (this.#depth !== 2 || !this.#inList) return;
    this.#events?.itemEnd(offset);
    this.#events?.itemStart(offset + 1);
  }

  /** Whether the key before this colon is that of the list, with any escapes. */
  #isList(): boolean {
    if (this.#key === null || this.#list === null) return false;
    const key = Buffer.from(this.#key);
    this.#key = null;
    if (!key.includes(backslash)) return key.equals(this.#list);
    try {
      return Buffer.from(String(JSON.parse(`"${key.toString()}"`))).equals(this.#list);
    } catch {
      return false;
    }
  }
}
