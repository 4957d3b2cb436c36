export interface Centroid {
  /** Of unit length; zeros if the members cancel out. */
  readonly vector: Float32Array<ArrayBuffer>;
  /** The mean cosine between the members and the centroid. */
  readonly cohesion: number;
}

/** @param vectors of unit length, row after row */
export function centroidOf(
  vectors: Float32Array,
  dimension: number,
  rows: ArrayLike<number>,
): Centroid {
  const sum = new Float64Array(dimension);
  for (let i = 0; i < rows.length; i += 1) {
    const from = (rows[i] as number) * dimension;
    for (let j = 0; j < dimension; j += 1) {
      sum[j] = (sum[j] as number) + (vectors[from + j] as number);
    }
  }
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
  const isNone = length < 1e-9 * rows.length;
  return {
    vector: Float32Array.from(sum, (value) => (isNone ? 0 : value / length)),
    // The sum of the members' cosines is the length of their sum.
    cohesion: isNone ? 0 : length / rows.length,
  };
}
