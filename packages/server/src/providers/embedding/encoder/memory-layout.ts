import type { LayerNorm } from './arithmetic.ts';
import { findPart } from './packed-parts.ts';
import type { PackedPart } from './weights.ts';

/** A linear layer in the memory: a matrix with a row of `inputs` signed bytes for each output. */
export interface LinearLayer {
  readonly inputs: number;
  readonly outputs: number;
  /** What an input of 0 is after quantisation. */
  readonly zeroPoint: 0 | 64;
  /** Addresses. */
  readonly matrix: number;
  readonly scale: number;
  readonly bias: number;
  /** `zeroPoint` times the sum of each row of the matrix. */
  readonly offset: number;
}

const pageBytes = 65_536;
/** For loads of sixteen bytes. */
const alignment = 16;

/** The packed weights in the memory of the WebAssembly program, and room for what it computes. */
export class MemoryLayout {
  readonly #memory: WebAssemblyMemory;
  readonly #parts: Readonly<Record<string, PackedPart>>;
  #end: number;

  constructor(
    memory: WebAssemblyMemory,
    parts: Readonly<Record<string, PackedPart>>,
    weights: Uint8Array,
    extraBytes: number,
  ) {
    this.#memory = memory;
    this.#parts = parts;
    this.#end = align(weights.length);
    const pages = Math.ceil((this.#end + extraBytes) / pageBytes);
    memory.grow(Math.max(0, pages - memory.buffer.byteLength / pageBytes));
    new Uint8Array(memory.buffer).set(weights);
  }

  /** The address of some bytes. Throws RangeError beyond the memory. */
  allocate(bytes: number): number {
    const address = this.#end;
    this.#end = align(address + bytes);
    if (this.#end > this.#memory.buffer.byteLength) throw new RangeError('memory is too small');
    return address;
  }

  floats(name: string): Float32Array {
    const { at, rows, columns } = this.#part(name);
    return new Float32Array(this.#memory.buffer, at, rows * columns);
  }

  bytes(name: string): Int8Array {
    const { at, rows, columns } = this.#part(name);
    return new Int8Array(this.#memory.buffer, at, rows * columns);
  }

  layerNorm(name: string): LayerNorm {
    return { weight: this.floats(`${name}.weight`), bias: this.floats(`${name}.bias`) };
  }

  linear(name: string, zeroPoint: 0 | 64 = 64): LinearLayer {
    const { at: matrix, rows: outputs, columns: inputs } = this.#part(name);
    const offset = this.allocate(outputs * 4);
    const offsets = new Float32Array(this.#memory.buffer, offset, outputs);
    const weights = this.bytes(name);
    for (let row = 0; row < outputs; row += 1) {
      let sum = 0;
      for (let i = 0; i < inputs; i += 1) sum += weights[row * inputs + i] as number;
      offsets[row] = zeroPoint * sum;
    }
    const scale = this.#part(`${name}.scale`).at;
    const bias = this.#part(`${name}.bias`).at;
    return { inputs, outputs, zeroPoint, matrix, scale, bias, offset };
  }

  #part(name: string): PackedPart {
    return findPart(this.#parts, name);
  }
}

const align = (address: number): number => Math.ceil(address / alignment) * alignment;
