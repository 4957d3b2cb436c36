/** Assembles the WebAssembly programs of the packages: `node tools/assemble-wasm.ts`. */
import { readFile, writeFile } from 'node:fs/promises';
import createWabt from 'wabt';

const programs = [
  'packages/clustering/assets/pairs',
  'packages/server/assets/database/zero-fill',
  'packages/server/assets/dots/dots',
  'packages/server/assets/encoder/matrix',
];

const features = { simd: true, relaxed_simd: true, bulk_memory: true, threads: true };

/**
 * The bytes of the module, from its source in the text format. Throws if that is no valid
 * WebAssembly.
 */
export async function assembleWasm(source: URL): Promise<Uint8Array> {
  const wabt = await createWabt();
  const text = await readFile(source, 'utf8');
  const module = wabt.parseWat(source.pathname, text, features);
  // The types of wabt lack the parameter.
  const validate: (enabled: object) => void = module.validate.bind(module);
  validate(features);
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}

if (import.meta.main) {
  for (const program of programs) {
    const file = (ending: 'wat' | 'wasm'): URL =>
      new URL(`../${program}.${ending}`, import.meta.url);
    await writeFile(file('wasm'), await assembleWasm(file('wat')));
  }
}
