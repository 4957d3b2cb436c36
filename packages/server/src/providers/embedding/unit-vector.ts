import { EmbeddingFailed } from './embedding.ts';

/**
 * Scales a vector in place to length 1.
 * @throws EmbeddingFailed for a zero vector or a non-finite number
 */
export function toUnitVector(vector: Float32Array): Float32Array {
  // Dividing by the largest value first keeps the squares of extreme numbers finite.
  let largest = 0;
  for (const value of vector) {
    const magnitude = Math.abs(value);
    if (!(magnitude <= Number.MAX_VALUE)) throw new EmbeddingFailed('vector is not finite');
    if (magnitude > largest) largest = magnitude;
  }
  if (largest === 0) throw new EmbeddingFailed('vector has length 0');
  let squares = 0;
  for (const value of vector) squares += (value / largest) ** 2;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) {
    vector[i] = ((vector[i] ?? 0) / largest) * scale;
  }
  return vector;
}

/** Dot product, which is the cosine for unit vectors of the same length. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
