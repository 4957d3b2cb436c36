/** The parts of a WebAssembly module that a change of one call needs. */

export const sectionIds = { import: 2, function: 3, export: 7, code: 10 } as const;
export const opcodes = { call: 0x10, drop: 0x1a } as const;
const headerBytes = 8;
const kinds = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;
/** The flag of limits that have a maximum. */
const hasMaximum = 1;

export interface Section {
  readonly id: number;
  readonly content: Uint8Array;
}

/** Content that is put together when it is written: a copy takes as long as the compiler. */
export interface WrittenSection {
  readonly id: number;
  readonly content: readonly Uint8Array[];
}

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The offset of the next byte. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('The WebAssembly module ends early');
    this.#at += 1;
    return byte;
  }

  /** An unsigned LEB128 number of up to 32 bits. */
  number(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  bytes(): Uint8Array {
    const length = this.skipBytes();
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Returns how many there were. */
  skipBytes(): number {
    const length = this.number();
    this.#at += length;
    return length;
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.number() }, read);
  }
}

export function readSections(module: Uint8Array): Section[] {
  const reader = new Reader(module, headerBytes);
  const sections: Section[] = [];
  while (!reader.isAtEnd) sections.push({ id: reader.byte(), content: reader.bytes() });
  return sections;
}

/** Puts sections together, behind the header of the module that they are from. */
export function writeModule(
  module: Uint8Array,
  sections: readonly WrittenSection[],
): Uint8Array<ArrayBuffer> {
  return join([
    module.subarray(0, headerBytes),
    ...sections.flatMap(({ id, content }) => [
      Uint8Array.of(id, ...encodeNumber(countBytes(content))),
      ...content,
    ]),
  ]);
}

/** The number at an index of a list of numbers, such as the types of functions. */
export function numberAt(list: Uint8Array, index: number): number | undefined {
  const reader = new Reader(list);
  if (index < 0 || index >= reader.number()) return undefined;
  for (let before = 0; before < index; before += 1) reader.number();
  return reader.number();
}

/** Where in a list of bodies the one at an index is. */
export function bodyAt(list: Uint8Array, index: number): { start: number; end: number } | null {
  const reader = new Reader(list);
  if (index < 0 || index >= reader.number()) return null;
  for (let before = 0; before < index; before += 1) reader.skipBytes();
  const length = reader.skipBytes();
  return { start: reader.at - length, end: reader.at };
}

export const countItems = (list: Uint8Array): number => new Reader(list).number();

/** The list with `item` at its end; a replacement takes the place of as many bytes. */
export function appendItem(
  list: Uint8Array,
  item: Uint8Array,
  replaced?: { readonly at: number; readonly bytes: Uint8Array },
): Uint8Array[] {
  const reader = new Reader(list);
  const count = Uint8Array.of(...encodeNumber(reader.number() + 1));
  if (!replaced) return [count, list.subarray(reader.at), item];
  const { at, bytes } = replaced;
  return [count, list.subarray(reader.at, at), bytes, list.subarray(at + bytes.length), item];
}

/** The index of an exported function by its name; imported functions have the first indexes. */
export function findExportedFunction(exports: Uint8Array, name: string): number | undefined {
  const wanted = new TextEncoder().encode(name);
  const reader = new Reader(exports);
  for (let left = reader.number(); left > 0; left -= 1) {
    const found = reader.bytes();
    const kind = reader.byte();
    const index = reader.number();
    const isNamed =
      found.length === wanted.length && found.every((byte, at) => byte === wanted[at]);
    if (isNamed && kind === kinds.function) return index;
  }
  return undefined;
}

export function countImportedFunctions(imports: Uint8Array): number {
  const reader = new Reader(imports);
  const limits = (): void => {
    const flags = reader.number();
    reader.number();
    if (flags & hasMaximum) reader.number();
  };
  const readers: Readonly<Record<number, () => void>> = {
    [kinds.function]: () => reader.number(),
    [kinds.table]() {
      reader.byte();
      limits();
    },
    [kinds.memory]: limits,
    [kinds.global]() {
      reader.byte();
      reader.byte();
    },
    [kinds.tag]() {
      reader.byte();
      reader.number();
    },
  };
  const imported = reader.list(() => {
    reader.bytes();
    reader.bytes();
    const kind = reader.byte();
    readers[kind]?.();
    return kind;
  });
  return imported.filter((kind) => kind === kinds.function).length;
}

export function encodeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

const countBytes = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(countBytes(parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
