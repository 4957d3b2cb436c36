import { applySoftmax } from './arithmetic.ts';
import type { MatrixProgram } from './matrix-program.ts';

/** Addresses of 32-bit floats. */
interface AttentionAddresses {
  /** Rows of queries, keys and values side by side, `size` floats each. */
  readonly projected: number;
  /** Room for a float per row. */
  readonly shares: number;
  /** Room for `size` floats per row. */
  readonly mixed: number;
}

/** Multi-head attention (Vaswani et al., 2017) in the memory of the program. */
export class Attention {
  readonly #program: MatrixProgram;
  readonly #addresses: AttentionAddresses;

  constructor(program: MatrixProgram, addresses: AttentionAddresses) {
    this.#program = program;
    this.#addresses = addresses;
  }

  /** Mixes the values of all rows for each row and head; the result is overwritten by the next. */
  mix({ count, size, heads }: { count: number; size: number; heads: number }): Float32Array {
    const { projected, shares, mixed } = this.#addresses;
    const { memory, dot_rows: dotRows, mix_rows: mixRows } = this.#program;
    const width = size / heads;
    const stride = 3 * size;
    const factor = 1 / Math.sqrt(width);
    const rowShares = new Float32Array(memory.buffer, shares, count);
    for (let head = 0; head < heads; head += 1) {
      const queries = projected + head * width * 4;
      const keys = queries + size * 4;
      const values = keys + size * 4;
      for (let row = 0; row < count; row += 1) {
        dotRows(queries + row * stride * 4, keys, shares, count, stride, width);
        applySoftmax(rowShares, factor);
        mixRows(shares, values, mixed + (row * size + head * width) * 4, count, stride, width);
      }
    }
    return new Float32Array(memory.buffer, mixed, count * size);
  }
}
