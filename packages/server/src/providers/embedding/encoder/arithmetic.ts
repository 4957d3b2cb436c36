/** Arithmetic on rows of floats. */

export interface LayerNorm {
  readonly weight: Float32Array;
  readonly bias: Float32Array;
}

export function addTo(sum: Float32Array, addend: Float32Array): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + (addend[i] as number);
}

/** Turns scores into shares of 1, in place. */
export function applySoftmax(scores: Float32Array, factor: number): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i += 1) largest = Math.max(largest, scores[i] as number);
  let total = 0;
  for (let i = 0; i < scores.length; i += 1) {
    const share = Math.exp(factor * ((scores[i] as number) - largest));
    scores[i] = share;
    total += share;
  }
  for (let i = 0; i < scores.length; i += 1) scores[i] = (scores[i] as number) / total;
}

export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
