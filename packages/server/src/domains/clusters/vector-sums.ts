/** Sums of unit vectors, the basis of centroids; stored as bytes of 8-byte floats. */

/** A stored vector, normalised to unit length. Null: it is zero. */
export function toUnitVector(vector: Int8Array): Float64Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return null;
  const length = Math.sqrt(squares);
  return Float64Array.from(vector, (value) => value / length);
}

export const decodeSum = (bytes: Uint8Array): Float64Array =>
  // A copy, because the bytes from the database may not be aligned for floats.
  new Float64Array(Uint8Array.from(bytes).buffer);

export const encodeSum = (sum: Float64Array): Uint8Array =>
  new Uint8Array(sum.buffer, sum.byteOffset, sum.byteLength);

/** Adds a stored vector to the sum, or subtracts it (−1). */
export function addToSum(sum: Float64Array, vector: Int8Array, sign: 1 | -1): void {
  const unit = toUnitVector(vector);
  if (unit === null) return;
  for (let i = 0; i < sum.length; i += 1) {
    sum[i] = (sum[i] as number) + sign * (unit[i] as number);
  }
}

/** The centroid at unit length; null if the vectors cancel out. */
export function centroidOf(sum: Float64Array): Float32Array<ArrayBuffer> | null {
  const length = Math.hypot(...sum);
  if (length < 1e-9) return null;
  return Float32Array.from(sum, (value) => value / length);
}

export function dotProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += (a[i] as number) * (b[i] as number);
  return total;
}
