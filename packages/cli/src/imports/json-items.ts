import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser, type parser } from 'stream-json/core/parser.js';

/** A longer element is not read: elements are held in memory. */
const charactersMax = 32 * 2 ** 20;
/** As the API: code that walks a value must not overflow its stack. */
const depthMax = 64;

/** An element of a list in a JSON file. */
interface JsonElement {
  /** The key of the list in the object that the file is; null: the file is the list. */
  readonly list: string | null;
  /** From 0. */
  readonly index: number;
  readonly value: unknown;
}

export type JsonEvent =
  | ({ readonly type: 'element' } & JsonElement)
  | { readonly type: 'too_large'; readonly list: string | null; readonly index: number }
  /** The text is no JSON from here on, or ends too early. */
  | { readonly type: 'broken'; readonly isTruncated: boolean; readonly index: number };

type Token = parser.Token;

/**
 * The elements of the list that a JSON text is, or of the lists in the object that it is, in
 * memory that depends on the largest element only.
 */
export async function* readJsonItems(text: AsyncIterable<string>): AsyncGenerator<JsonEvent> {
  // Nothing is packed: a text of any length comes in pieces, which the assembler may drop.
  const parse = jsonParser({ packValues: false, streamValues: true });
  const items = new ItemAssembler();
  let isAtEnd = false;
  try {
    for await (const piece of text) yield* items.add(parse(piece));
    isAtEnd = true;
    // The library types the end of the input as text.
    yield* items.add(parse(none as never));
  } catch (error) {
    if (!isParserError(error)) throw error;
    yield { type: 'broken', isTruncated: isAtEnd, index: items.index };
    return;
  }
  if (!items.isComplete) yield { type: 'broken', isTruncated: true, index: items.index };
}

const isParserError = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Parser ');

type Container = { readonly value: unknown[] | Record<string, unknown>; key: string };

/** Builds the elements of lists from tokens. */
class ItemAssembler {
  #depth = 0;
  #rootIsList = false;
  #list: string | null = null;
  #isInList = false;
  /** Of the current or next element. */
  index = 0;
  #stack: Container[] = [];
  #text: string[] = [];
  #rootKey = '';
  /** Characters and tokens of the element so far. */
  #size = 0;
  isComplete = false;

  *add(output: unknown): Generator<JsonEvent> {
    if (output === none) return;
    const tokens = isMany(output) ? getManyValues(output) : [output];
    for (const token of tokens as Token[]) {
      const event = this.#next(token);
      if (event !== null) yield event;
    }
  }

  get #elementDepth(): number {
    return this.#rootIsList ? 1 : 2;
  }

  #next(token: Token): JsonEvent | null {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        return this.#open(token.name === 'startArray');
      case 'endObject':
      case 'endArray':
        return this.#close();
      case 'startKey':
      case 'startString':
      case 'startNumber':
        this.#text = [];
        return null;
      case 'stringChunk':
      case 'numberChunk':
        this.#addText(token.value);
        return null;
      case 'endKey':
        this.#setKey(this.#text.join(''));
        return null;
      case 'endString':
        return this.#value(this.#text.join(''));
      case 'endNumber':
        return this.#value(Number(this.#text.join('')));
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        return this.#value(token.value);
      default:
        return null;
    }
  }

  get #isDropped(): boolean {
    return this.#size > charactersMax;
  }

  #addText(piece: string): void {
    this.#size += piece.length;
    if (this.#isDropped) this.#text = [];
    else this.#text.push(piece);
  }

  #setKey(key: string): void {
    const parent = this.#stack.at(-1);
    if (parent) parent.key = key;
    if (this.#depth > 1 || this.#rootIsList) return;
    this.#rootKey = key;
    this.#size = 0;
  }

  #open(isArray: boolean): JsonEvent | null {
    this.#depth += 1;
    if (this.#depth === 1) {
      this.#rootIsList = isArray;
      this.#startList(isArray ? null : undefined);
      return null;
    }
    if (!this.#rootIsList && this.#depth === 2) {
      this.#startList(isArray ? this.#rootKey : undefined);
      return null;
    }
    if (!this.#isInList) return null;
    if (this.#depth - this.#elementDepth > depthMax) this.#size = charactersMax + 1;
    this.#size += 1;
    if (this.#isDropped) this.#stack = [];
    else this.#stack.push({ value: isArray ? [] : {}, key: '' });
    return null;
  }

  /** Undefined: no list begins. */
  #startList(list: string | null | undefined): void {
    this.#isInList = list !== undefined;
    this.#list = list ?? null;
    this.index = 0;
    this.#size = 0;
  }

  #close(): JsonEvent | null {
    this.#depth -= 1;
    if (this.#depth === 0) this.isComplete = true;
    if (this.#depth < this.#elementDepth) {
      this.#isInList = false;
      this.#size = 0;
      return null;
    }
    return this.#isInList ? this.#place(this.#stack.pop()?.value) : null;
  }

  #value(value: unknown): JsonEvent | null {
    if (this.#depth === 0) this.isComplete = true;
    if (!this.#isInList || this.#depth < this.#elementDepth) {
      this.#size = 0;
      return null;
    }
    this.#size += 1;
    return this.#place(value);
  }

  /** Adds a complete value to its container, or ends the element. */
  #place(value: unknown): JsonEvent | null {
    const parent = this.#stack.at(-1);
    if (this.#depth > this.#elementDepth) {
      if (parent && !this.#isDropped) addTo(parent, value);
      return null;
    }
    const [isDropped, index, list] = [this.#isDropped, this.index, this.#list];
    this.index += 1;
    this.#stack = [];
    this.#size = 0;
    return isDropped ? { type: 'too_large', list, index } : { type: 'element', list, index, value };
  }
}

/** A key such as `__proto__` is a key like others. */
function addTo({ value: container, key }: Container, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else if (key !== '__proto__') container[key] = value;
  else
    Object.defineProperty(container, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
}
