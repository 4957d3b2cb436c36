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
}

type VectorAndRows = [
  vector: number,
  rows: number,
  out: number,
  count: number,
  stride: number,
  width: number,
];
