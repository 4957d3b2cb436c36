import type { Random } from '../random.ts';

const iterations = 12;

/**
 * Coordinates of the rows along the directions of greatest variance, by subspace iteration (Halko,
 * Martinsson and Tropp, "Finding Structure with Randomness", 2011, algorithm 4.4); scaled so that
 * the largest is 10.
 * @param vectors with mean 0, row after row
 */
export function principalCoordinates(
  vectors: Float32Array,
  dimension: number,
  target: number,
  random: Random,
): Float32Array {
  const count = vectors.length / dimension;
  const basis = Array.from({ length: target }, () =>
    Float64Array.from({ length: dimension }, () => random() - 0.5),
  );
  const coordinates = new Float32Array(count * target);
  for (let i = 0; i < iterations; i += 1) {
    orthonormalise(basis);
    project(vectors, basis, coordinates);
    if (i + 1 < iterations) updateBasis(vectors, coordinates, basis);
  }
  const largest = coordinates.reduce((maxValue, value) => Math.max(maxValue, Math.abs(value)), 0);
  return largest === 0 ? coordinates : coordinates.map((value) => (10 * value) / largest);
}

function project(vectors: Float32Array, basis: readonly Float64Array[], out: Float32Array): void {
  const dimension = basis[0]?.length ?? 0;
  for (let at = 0, from = 0; at < out.length; from += dimension) {
    for (const direction of basis) {
      let sum = 0;
      for (let i = 0; i < dimension; i += 1) {
        sum += (direction[i] as number) * (vectors[from + i] as number);
      }
      out[at] = sum;
      at += 1;
    }
  }
}

/** Each direction becomes the sum of the rows, weighted by their coordinates. */
function updateBasis(
  vectors: Float32Array,
  coordinates: Float32Array,
  basis: readonly Float64Array[],
): void {
  for (const direction of basis) direction.fill(0);
  for (let at = 0, from = 0; at < coordinates.length; from += basis[0]?.length ?? 0) {
    for (const direction of basis) {
      const factor = coordinates[at] as number;
      for (let i = 0; i < direction.length; i += 1) {
        direction[i] = (direction[i] as number) + factor * (vectors[from + i] as number);
      }
      at += 1;
    }
  }
}

/** Gram–Schmidt; a linearly dependent direction becomes zeros. */
function orthonormalise(basis: readonly Float64Array[]): void {
  for (const [i, direction] of basis.entries()) {
    for (const other of basis.slice(0, i)) {
      const shared = direction.reduce((sum, value, j) => sum + value * (other[j] as number), 0);
      for (const [j, value] of other.entries()) {
        direction[j] = (direction[j] as number) - shared * value;
      }
    }
    const length = Math.hypot(...direction);
    for (const [j, value] of direction.entries()) {
      direction[j] = length > 1e-9 ? value / length : 0;
    }
  }
}
