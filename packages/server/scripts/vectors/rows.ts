import { type Components, principalComponents } from './principal-components.ts';

/** Scales every row to `length`; rows of zeros stay. */
export function unitRows(rows: Float32Array, dimensions: number, length = 1): Float32Array {
  const out = new Float32Array(rows.length);
  for (let start = 0; start < rows.length; start += dimensions) {
    const row = rows.subarray(start, start + dimensions);
    let squares = 0;
    for (const value of row) squares += value * value;
    const scale = squares > 0 ? length / Math.sqrt(squares) : 0;
    for (let i = 0; i < dimensions; i++) out[start + i] = scale * (row[i] as number);
  }
  return out;
}

/** Rows of two matrices of equally many rows, one behind the other. */
export function joinRows(a: Float32Array, aSize: number, b: Float32Array, bSize: number) {
  const size = aSize + bSize;
  const out = new Float32Array((a.length / aSize) * size);
  for (let row = 0; row * size < out.length; row++) {
    out.set(a.subarray(row * aSize, (row + 1) * aSize), row * size);
    out.set(b.subarray(row * bSize, (row + 1) * bSize), row * size + aSize);
  }
  return out;
}

/**
 * Takes the mean and the `count` strongest directions out of all rows: they hold frequency, not
 * meaning (Mu and Viswanath 2018, "All-but-the-Top"). Both are found on the first `sample` rows.
 */
export function withoutTop(
  rows: Float32Array,
  dimensions: number,
  count: number,
  sample: number,
): Float32Array {
  const first = rows.subarray(0, sample * dimensions);
  const components = principalComponents(first, dimensions, count);
  const out = rows.slice();
  for (let start = 0; start < out.length; start += dimensions) {
    removeFrom(out.subarray(start, start + dimensions), components);
  }
  return out;
}

function removeFrom(row: Float32Array, { mean, axes, to }: Components): void {
  for (let i = 0; i < row.length; i++) row[i] = (row[i] as number) - (mean[i] as number);
  for (let axis = 0; axis < to; axis++) {
    const start = axis * row.length;
    let along = 0;
    for (let i = 0; i < row.length; i++) along += (row[i] as number) * (axes[start + i] as number);
    for (let i = 0; i < row.length; i++) {
      row[i] = (row[i] as number) - along * (axes[start + i] as number);
    }
  }
}
