/** The part of it that is used here: TypeScript declares it only with the browser library. */
interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Memory that several threads use. Its buffer keeps its length when the memory grows. */
interface SharedWebAssemblyMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => SharedWebAssemblyMemory;
};
