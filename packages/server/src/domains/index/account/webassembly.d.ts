/** What is used of it; the compiler knows it only together with all of the browser. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>;
    constructor(module: Module);
  }
}
