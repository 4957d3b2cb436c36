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

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
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
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  bytes(): Uint8Array {
    const length = this.number();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
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
  sections: readonly Section[],
): Uint8Array<ArrayBuffer> {
  return join([
    module.subarray(0, headerBytes),
    ...sections.flatMap(({ id, content }) => [
      Uint8Array.of(id, ...encodeNumber(content.length)),
      content,
    ]),
  ]);
}

/** Type indexes of the functions that a module defines. */
export function readTypes(functions: Uint8Array): number[] {
  const reader = new Reader(functions);
  return reader.list(() => reader.number());
}

export const writeTypes = (types: readonly number[]): Uint8Array =>
  Uint8Array.of(...encodeNumber(types.length), ...types.flatMap(encodeNumber));

/** The bodies of the functions that a module defines. */
export function readBodies(code: Uint8Array): Uint8Array[] {
  const reader = new Reader(code);
  return reader.list(() => reader.bytes());
}

export function writeBodies(bodies: readonly Uint8Array[]): Uint8Array {
  return join([
    Uint8Array.of(...encodeNumber(bodies.length)),
    ...bodies.flatMap((body) => [Uint8Array.of(...encodeNumber(body.length)), body]),
  ]);
}

/** Indexes of exported functions by name; imported functions have the first ones. */
export function readExportedFunctions(exports: Uint8Array): Map<string, number> {
  const reader = new Reader(exports);
  const found = new Map<string, number>();
  for (const [name, kind, index] of reader.list(
    () => [decode(reader.bytes()), reader.byte(), reader.number()] as const,
  )) {
    if (kind === kinds.function) found.set(name, index);
  }
  return found;
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

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
