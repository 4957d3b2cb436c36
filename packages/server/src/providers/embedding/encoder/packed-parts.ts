import type { PackedPart } from './weights.ts';

/** Parts of packed weights, outside of the memory of a program. */
export class PackedParts {
  readonly #parts: Readonly<Record<string, PackedPart>>;
  readonly #weights: ArrayBuffer;

  constructor(parts: Readonly<Record<string, PackedPart>>, weights: Uint8Array) {
    this.#parts = parts;
    // A copy is aligned.
    this.#weights = new Uint8Array(weights).buffer;
  }

  floats(name: string): Float32Array {
    const { at, rows, columns } = findPart(this.#parts, name);
    return new Float32Array(this.#weights, at, rows * columns);
  }

  bytes(name: string): Int8Array {
    const { at, rows, columns } = findPart(this.#parts, name);
    return new Int8Array(this.#weights, at, rows * columns);
  }
}

/** Throws if the packed weights do not have the part. */
export function findPart(parts: Readonly<Record<string, PackedPart>>, name: string): PackedPart {
  const part = parts[name];
  if (!part) throw new Error(`the packed weights have no ${name}`);
  return part;
}
