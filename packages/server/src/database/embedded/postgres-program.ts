import { readFile } from 'node:fs/promises';
import {
  appendItem,
  bodyAt,
  countImportedFunctions,
  countItems,
  encodeNumber,
  findExportedFunction,
  numberAt,
  opcodes,
  readSections,
  type Section,
  sectionIds,
  writeModule,
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
  const exported = contentOf(sections, sectionIds.export);
  const zeroFillCode = contentOf(readSections(zeroFill), sectionIds.code);
  const zeroFillBody = bodyAt(zeroFillCode, 0);
  const memset = findExportedFunction(exported, 'memset');
  const mmap = findExportedFunction(exported, 'mmap');
  if (!zeroFillBody || memset === undefined || mmap === undefined) return null;
  const imported = countImportedFunctions(contentOf(sections, sectionIds.import));
  const type = numberAt(functions, memset - imported);
  const body = bodyAt(code, mmap - imported);
  if (type === undefined || body === null) return null;
  const added = callOf(imported + countItems(code));
  const at = findOnly(code.subarray(body.start, body.end), callOf(memset));
  if (at === null || added.length !== callOf(memset).length) return null;
  const length = encodeNumber(zeroFillBody.end - zeroFillBody.start);
  const item = Uint8Array.of(
    ...length,
    ...zeroFillCode.subarray(zeroFillBody.start, zeroFillBody.end),
  );
  const replaced = { at: body.start + at, bytes: added };
  return writeModule(
    program,
    sections.map(({ id, content }) => {
      if (id === sectionIds.function)
        return { id, content: appendItem(content, Uint8Array.of(...encodeNumber(type))) };
      if (id === sectionIds.code) return { id, content: appendItem(content, item, replaced) };
      return { id, content: [content] };
    }),
  );
}

/** A call whose result is not used. */
const callOf = (index: number): Uint8Array =>
  Uint8Array.of(opcodes.call, ...encodeNumber(index), opcodes.drop);

const contentOf = (sections: readonly Section[], id: number): Uint8Array =>
  sections.find((section) => section.id === id)?.content ?? new Uint8Array(1);

/** Where a part is in the bytes; null unless it occurs once. */
function findOnly(bytes: Uint8Array, part: Uint8Array): number | null {
  const { buffer, byteOffset, length } = bytes;
  const searched = Buffer.from(buffer, byteOffset, length);
  const at = searched.indexOf(part);
  return at < 0 || at !== searched.lastIndexOf(part) ? null : at;
}
