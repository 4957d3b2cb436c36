import { readFile } from 'node:fs/promises';
import {
  countImportedFunctions,
  encodeNumber,
  opcodes,
  readBodies,
  readExportedFunctions,
  readSections,
  readTypes,
  type Section,
  sectionIds,
  writeBodies,
  writeModule,
  writeTypes,
} from './wasm-module.ts';

const zeroFillFile = new URL('../../../assets/database/zero-fill.wasm', import.meta.url);

/**
 * The program of PostgreSQL, changed so that its shared memory takes memory of the machine only
 * when it is used: `mmap` sets new memory to zero by a function that does not write zeros over
 * zeros. An empty database takes 60 MB less. Null if the program is not as expected: PGlite then
 * loads it unchanged.
 */
export async function compilePostgres(): Promise<object | null> {
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  const [program, zeroFill] = await Promise.all([readFile(file), readFile(zeroFillFile)]);
  const changed = withZeroFill(program, zeroFill);
  return changed && WebAssembly.compile(changed);
}

/**
 * Adds the one function of `zeroFill` to the program, and lets `mmap` call it in place of
 * `memset`, which has the same parameters. Null if there is no such call, or more than one.
 */
export function withZeroFill(
  program: Uint8Array,
  zeroFill: Uint8Array,
): Uint8Array<ArrayBuffer> | null {
  const sections = readSections(program);
  const functions = contentOf(sections, sectionIds.function);
  const code = contentOf(sections, sectionIds.code);
  const exported = readExportedFunctions(contentOf(sections, sectionIds.export));
  const [zeroFillBody] = readBodies(contentOf(readSections(zeroFill), sectionIds.code));
  const [memset, mmap] = [exported.get('memset'), exported.get('mmap')];
  if (!zeroFillBody || memset === undefined || mmap === undefined) return null;
  const types = readTypes(functions);
  const bodies = readBodies(code);
  const imported = countImportedFunctions(contentOf(sections, sectionIds.import));
  const type = types[memset - imported];
  const body = bodies[mmap - imported];
  if (type === undefined || body === undefined) return null;
  const changed = replaceOnly(body, callOf(memset), callOf(imported + bodies.length));
  if (changed === null) return null;
  bodies[mmap - imported] = changed;
  return writeModule(
    program,
    sections.map(({ id, content }) => {
      if (id === sectionIds.function) return { id, content: writeTypes([...types, type]) };
      if (id === sectionIds.code) return { id, content: writeBodies([...bodies, zeroFillBody]) };
      return { id, content };
    }),
  );
}

/** A call whose result is not used. */
const callOf = (index: number): Uint8Array =>
  Uint8Array.of(opcodes.call, ...encodeNumber(index), opcodes.drop);

const contentOf = (sections: readonly Section[], id: number): Uint8Array =>
  sections.find((section) => section.id === id)?.content ?? new Uint8Array(1);

/** The bytes with another part of the same length; null unless the part occurs once. */
function replaceOnly(
  bytes: Uint8Array,
  part: Uint8Array,
  replacement: Uint8Array,
): Uint8Array | null {
  const replaced = Buffer.from(bytes);
  const [at, last] = [replaced.indexOf(part), replaced.lastIndexOf(part)];
  if (at < 0 || at !== last || part.length !== replacement.length) return null;
  replaced.set(replacement, at);
  return replaced;
}
