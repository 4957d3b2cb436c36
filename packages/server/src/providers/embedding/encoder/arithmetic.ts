/** Arithmetic on rows of floats. */

export interface LayerNorm {
  readonly weight: Float32Array;
  readonly bias: Float32Array;
}

/** Keeps the division finite where all values of a row are equal. */
const layerNormEpsilon = 1e-6;

/** Each row with mean 0 and variance 1, then scaled and shifted (Ba et al., 2016). */
export function applyLayerNorm(
  rows: Float32Array,
  { weight, bias }: LayerNorm,
  size: number,
): Float32Array {
  const normed = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at += size) {
    let sum = 0;
    for (let i = 0; i < size; i += 1) sum += rows[at + i] as number;
    const mean = sum / size;
    let squares = 0;
    for (let i = 0; i < size; i += 1) squares += ((rows[at + i] as number) - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / size + layerNormEpsilon);
    for (let i = 0; i < size; i += 1) {
      const centred = (rows[at + i] as number) - mean;
      normed[at + i] = centred * factor * (weight[i] as number) + (bias[i] as number);
    }
  }
  return normed;
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

/**
 * Rounds each row to seven bits, 0 to 127, with a scale for each row.
 * @param zeroPoint what 0 becomes: 0 for rows without negative values, otherwise 64
 */
export function quantiseRows(
  rows: Float32Array,
  quantised: Uint8Array,
  scales: Float32Array,
  zeroPoint: 0 | 64,
): void {
  const size = rows.length / scales.length;
  const levels = 127 - zeroPoint;
  for (let row = 0; row < scales.length; row += 1) {
    const at = row * size;
    let largest = 0;
    for (let i = 0; i < size; i += 1) largest = Math.max(largest, Math.abs(rows[at + i] as number));
    scales[row] = largest / levels;
    const factor = largest > 0 ? levels / largest : 0;
    for (let i = 0; i < size; i += 1) {
      // Half is added so that the conversion, which cuts, rounds.
      quantised[at + i] = (rows[at + i] as number) * factor + zeroPoint + 0.5;
    }
  }
}

export function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
