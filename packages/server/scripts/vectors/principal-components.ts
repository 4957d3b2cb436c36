const ITERATIONS = 60;

export interface Components {
  /** Of the rows, `from` numbers. */
  mean: Float64Array;
  /** `to` unit rows of `from` numbers, at right angles to each other. */
  axes: Float64Array;
  from: number;
  to: number;
}

/**
 * The `to` directions in which rows of `from` numbers vary most, by orthogonal iteration
 * (Golub and Van Loan, "Matrix Computations", 8.2.4) on their covariance.
 */
export function principalComponents(rows: Float32Array, from: number, to: number): Components {
  const mean = meanRow(rows, from);
  const covariance = covarianceOf(rows, from, mean);
  let axes = orthonormal(startAxes(from, to), from, to);
  for (let round = 0; round < ITERATIONS; round++) {
    axes = orthonormal(multiply(axes, covariance, from, to), from, to);
  }
  return { mean, axes, from, to };
}

/** Rows minus the mean (unless told otherwise), in the coordinates of the components. */
export function project(
  rows: Float32Array,
  { mean, axes, from, to }: Components,
  centre = true,
): Float32Array {
  const count = rows.length / from;
  const out = new Float32Array(count * to);
  const centred = new Float64Array(from);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < from; i++) {
      centred[i] = (rows[row * from + i] as number) - (centre ? (mean[i] as number) : 0);
    }
    for (let axis = 0; axis < to; axis++) {
      let sum = 0;
      const start = axis * from;
      for (let i = 0; i < from; i++) sum += (axes[start + i] as number) * (centred[i] as number);
      out[row * to + axis] = sum;
    }
  }
  return out;
}

function meanRow(rows: Float32Array, from: number): Float64Array {
  const mean = new Float64Array(from);
  const count = rows.length / from;
  for (let at = 0; at < rows.length; at++) {
    mean[at % from] = (mean[at % from] as number) + (rows[at] as number) / count;
  }
  return mean;
}

function covarianceOf(rows: Float32Array, from: number, mean: Float64Array): Float64Array {
  const sums = new Float64Array(from * from);
  const centred = new Float64Array(from);
  for (let start = 0; start < rows.length; start += from) {
    for (let i = 0; i < from; i++) centred[i] = (rows[start + i] as number) - (mean[i] as number);
    for (let i = 0; i < from; i++) {
      const value = centred[i] as number;
      const line = i * from;
      for (let j = i; j < from; j++) {
        sums[line + j] = (sums[line + j] as number) + value * (centred[j] as number);
      }
    }
  }
  for (let i = 0; i < from; i++) {
    for (let j = 0; j < i; j++) sums[i * from + j] = sums[j * from + i] as number;
  }
  return sums;
}

/** Any start works that is not at a right angle to an answer: a fixed sequence repeats runs. */
function startAxes(from: number, to: number): Float64Array {
  let state = 1;
  return Float64Array.from({ length: from * to }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** Every axis times the symmetric matrix. */
function multiply(axes: Float64Array, matrix: Float64Array, from: number, to: number) {
  const out = new Float64Array(axes.length);
  for (let axis = 0; axis < to; axis++) {
    const target = out.subarray(axis * from, (axis + 1) * from);
    for (let i = 0; i < from; i++) {
      const value = axes[axis * from + i] as number;
      const line = i * from;
      for (let j = 0; j < from; j++) {
        target[j] = (target[j] as number) + value * (matrix[line + j] as number);
      }
    }
  }
  return out;
}

/** Modified Gram-Schmidt over the rows. */
function orthonormal(axes: Float64Array, from: number, to: number): Float64Array {
  for (let axis = 0; axis < to; axis++) {
    const row = axes.subarray(axis * from, (axis + 1) * from);
    for (let before = 0; before < axis; before++) {
      const other = axes.subarray(before * from, (before + 1) * from);
      let along = 0;
      for (let i = 0; i < from; i++) along += (row[i] as number) * (other[i] as number);
      for (let i = 0; i < from; i++) row[i] = (row[i] as number) - along * (other[i] as number);
    }
    const length = Math.hypot(...row);
    for (let i = 0; i < from; i++) row[i] = (row[i] as number) / length;
  }
  return axes;
}
