/** Assembles assets/dots/dots.wat: `node packages/server/scripts/assemble-dots.ts`. */
import { readFile, writeFile } from 'node:fs/promises';
import createWabt from 'wabt';

const folder = new URL('../assets/dots/', import.meta.url);

/** The bytes of the module. Throws when the text is no valid WebAssembly. */
export async function assembleDots(): Promise<Uint8Array> {
  const wabt = await createWabt();
  const text = await readFile(new URL('dots.wat', folder), 'utf8');
  const module = wabt.parseWat('dots.wat', text, { simd: true });
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}

if (import.meta.main) await writeFile(new URL('dots.wasm', folder), await assembleDots());
