/** assets/encoder/matrix.wat; `rows`, `vector` and the like are addresses. */
export interface MatrixProgram {
  readonly memory: WebAssemblyMemory;
  multiply(
    ...addressesAndSizes: [
      rows: number,
      matrix: number,
      out: number,
      count: number,
      outputs: number,
      inputs: number,
      rowScale: number,
      scale: number,
      offset: number,
      bias: number,
      floor: number,
      inTwoSteps: number,
    ]
  ): void;
  /** The products of a vector and each row. */
  dot_rows(...addressesAndSizes: VectorAndRows): void;
  /** The sum of the rows, each times its entry of the vector. */
  mix_rows(...addressesAndSizes: VectorAndRows): void;
  /** Rounds each row to seven bits, with a scale for each row. */
  quantise_rows(
    ...addressesAndSizes: [
      rows: number,
      out: number,
      scales: number,
      count: number,
      width: number,
      /** What 0 becomes: 0 for rows without negative values, otherwise 64. */
      zeroPoint: number,
    ]
  ): void;
  /**
   * Each row with mean 0 and variance 1, scaled and shifted (Ba et al., 2016). Of an odd count it
   * reads and writes one row more.
   */
  normalise_rows(
    ...addressesAndSizes: [
      rows: number,
      weight: number,
      bias: number,
      out: number,
      count: number,
      width: number,
      epsilon: number,
    ]
  ): void;
}

type VectorAndRows = [
  vector: number,
  rows: number,
  out: number,
  count: number,
  stride: number,
  width: number,
];
