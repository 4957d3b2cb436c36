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
  dot_rows(
    ...addressesAndSizes: [
      vector: number,
      rows: number,
      out: number,
      count: number,
      stride: number,
      width: number,
    ]
  ): void;
  mix_rows(
    ...addressesAndSizes: [
      shares: number,
      rows: number,
      out: number,
      count: number,
      stride: number,
      width: number,
    ]
  ): void;
}
