import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleWasm } from '../../../../../tools/assemble-wasm.ts';
import { compilePostgres, withZeroFill } from './postgres-program.ts';
import {
  appendItem,
  bodyAt,
  countImportedFunctions,
  countItems,
  encodeNumber,
  numberAt,
} from './wasm-module.ts';

const asset = (name: string): URL => new URL(`../../../assets/database/${name}`, import.meta.url);
const stored = await readFile(asset('zero-fill.wasm'));
const instance = new WebAssembly.Instance(new WebAssembly.Module(stored));
const { memory, zero_fill: zeroFill } = instance.exports as {
  memory: { buffer: ArrayBuffer };
  zero_fill(at: number, zero: number, count: number): number;
};

describe('the program of PostgreSQL', () => {
  it('runs the assembled function', async () => {
    expect(Buffer.from(await assembleWasm(asset('zero-fill.wat'))).equals(stored)).toBe(true);
  });

  it('sets any range of bytes to zero, and no other byte', () => {
    const bytes = new Uint8Array(memory.buffer);
    const place = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(place, place, fc.array(place, { maxLength: 40 }), (at, count, ones) => {
        bytes.fill(0, 0, 41_000);
        for (const one of ones) bytes[one] = 255;
        const expected = bytes.slice(0, 41_000).fill(0, at, at + count);
        expect(zeroFill(at, 0, count)).toBe(at);
        expect(Buffer.compare(bytes.subarray(0, 41_000), expected)).toBe(0);
      }),
    );
  });

  it('is changed as installed', async () => {
    expect(await compilePostgres()).not.toBeNull();
  });

  it('is left alone if it has no such call', () => {
    expect(withZeroFill(stored, stored)).toBeNull();
  });

  it('has numbers of any size, one more after each change', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 ** 31 - 1 }), { maxLength: 300 }), (types) => {
        const list = types.reduce(
          (before: Uint8Array, type) =>
            Buffer.concat(appendItem(before, Uint8Array.of(...encodeNumber(type)))),
          Uint8Array.of(0),
        );
        expect(countItems(list)).toBe(types.length);
        expect(types.map((_, index) => numberAt(list, index))).toEqual(types);
        expect(numberAt(list, types.length)).toBeUndefined();
      }),
    );
    expect([0, 127, 128, 16_383].map(encodeNumber)).toEqual([[0], [127], [128, 1], [255, 127]]);
  });

  it('has bodies of any length, in one of which bytes are replaced', () => {
    const body = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 140 }), fc.nat(), (bodies, which) => {
        const items = bodies.map((bytes) => [...encodeNumber(bytes.length), ...bytes]);
        const list = Uint8Array.of(...encodeNumber(bodies.length), ...items.flat());
        const index = which % bodies.length;
        const start = bodyAt(list, index)?.start ?? 0;
        const replaced = { at: start, bytes: Uint8Array.of(1 ^ (list[start] ?? 0)) };
        const changed = Buffer.concat(appendItem(list, Uint8Array.of(1, 7), replaced));
        const expected = bodies.map((bytes) => [...bytes]);
        (expected[index] as number[])[0] = replaced.bytes[0] as number;
        const found = [...expected, [7]].map((_, at) => {
          const place = bodyAt(changed, at);
          return place && [...changed.subarray(place.start, place.end)];
        });
        expect(found).toEqual([...expected, [7]]);
        expect(bodyAt(changed, found.length)).toBeNull();
      }),
    );
  });

  it('counts functions among imports of any kind', () => {
    const name = [1, 97];
    const imports = [
      [...name, ...name, 0, 5],
      [...name, ...name, 1, 0x70, 1, 1, 2],
      [...name, ...name, 2, 0, 128, 16],
      [...name, ...name, 3, 0x7f, 1],
      [...name, ...name, 4, 0, 3],
      [...name, ...name, 0, 0x80, 1],
    ];
    expect(countImportedFunctions(Uint8Array.of(imports.length, ...imports.flat()))).toBe(2);
  });
});
