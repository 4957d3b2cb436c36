/** Assembles what stands in assets/dots: `node packages/server/scripts/assemble-dots.ts`. */
import { readFile, writeFile } from 'node:fs/promises';
import createWabt from 'wabt';

type Program = 'dots' | 'pairs';

const fileOf = (program: Program, ending: 'wat' | 'wasm'): URL =>
  new URL(`../assets/dots/${program}.${ending}`, import.meta.url);

/** The bytes of the module. Throws when the text is no valid WebAssembly. */
export async function assemble(program: Program): Promise<Uint8Array> {
  const wabt = await createWabt();
  const text = await readFile(fileOf(program, 'wat'), 'utf8');
  const module = wabt.parseWat(`${program}.wat`, text, { simd: true });
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}

if (import.meta.main) {
  for (const program of ['dots', 'pairs'] as const) {
    await writeFile(fileOf(program, 'wasm'), await assemble(program));
  }
}
