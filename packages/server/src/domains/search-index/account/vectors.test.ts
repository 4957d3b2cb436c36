import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../../../../../test/support/run-count.ts';
import { assembleWasm } from '../../../../../../tools/assemble-wasm.ts';
import { quantiseVector } from '../model.ts';
import { VectorArena } from './arena.ts';
import { Vectors } from './vectors.ts';

const dimensions = 21;
const vector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), {
    minLength: dimensions,
    maxLength: dimensions,
  })
  .filter((values) => Math.hypot(...values) > 0.1)
  .map((values) => Float32Array.from(values));

describe('dot products', () => {
  it('run the compiled program next to them', async () => {
    const stored = await readFile(new URL('../../../../assets/dots/dots.wasm', import.meta.url));
    const source = new URL('../../../../assets/dots/dots.wat', import.meta.url);
    expect(Buffer.from(await assembleWasm(source)).equals(stored)).toBe(true);
  });

  it('equal plain arithmetic, for all rows and for some', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 150 }), vector, (rows, query) => {
        const vectors = new Vectors(new VectorArena(dimensions), dimensions);
        const bytes = rows.map((row) => quantiseVector(row));
        const inverse = Float32Array.from(
          { length: 192 },
          (_, i) => (bytes[i] && vectors.set(i, new Uint8Array(bytes[i].buffer))) ?? 0,
        );
        const all = new Float32Array(192);
        vectors.dotProducts(query, inverse, all);
        const some = new Float32Array(192);
        vectors.dotProductsFor(query, inverse, Int32Array.of(0, rows.length - 1), some);
        for (const [i, row] of bytes.entries()) {
          const dot = row.reduce((sum, value, j) => sum + value * (query[j] ?? 0), 0);
          const expected = dot / Math.hypot(...row);
          // The query is quantised to 12 bits of its largest value.
          const error = (dimensions * Math.max(...query.map(Math.abs))) / 2_047;
          expect(Math.abs((all[i] ?? 0) - expected)).toBeLessThan(error);
        }
        expect(some[0]).toBe(all[0]);
        expect(some[rows.length - 1]).toBe(all[rows.length - 1]);
      }),
    );
  });

  it('reuse the memory of dropped accounts', () => {
    const arena = new VectorArena(dimensions);
    const first = new Vectors(arena, dimensions);
    const row = new Uint8Array(dimensions).fill(5);
    first.set(0, row);
    first.free();
    const second = new Vectors(arena, dimensions);
    second.set(1, row);
    const out = new Float32Array(64);
    second.dotProducts(new Float32Array(dimensions).fill(1), new Float32Array(64).fill(1), out);
    expect(out[0]).toBe(0);
    expect(out[1]).toBeCloseTo(105, 0);
  });
});

/** What happens to one of four accounts: it gets vectors up to a number, or leaves. */
const change = fc.record({
  account: fc.nat({ max: 3 }),
  // Chunks are allocated up to the number: so the memory that is kept in any case is exceeded.
  last: fc.option(fc.integer({ min: 0, max: 300_000 }), { nil: null, freq: 3 }),
});

describe('the memory of vectors', () => {
  it('keeps the vectors of other accounts as accounts leave, and is at most half free', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 4, maxLength: 40 }), (changes) => {
        const arena = new VectorArena(dimensions);
        const accounts = Array.from({ length: 4 }, () => new Vectors(arena, dimensions));
        const expected = accounts.map(() => new Map<number, number>());
        for (const [i, { account, last }] of changes.entries()) {
          const [vectors, own] = [accounts[account] as Vectors, expected[account]];
          const value = 1 + (i % 100);
          if (last === null) {
            vectors.free();
            own?.clear();
          } else {
            vectors.set(last, new Uint8Array(dimensions).fill(value));
            own?.set(last, value);
          }
          for (const [at, values] of expected.entries()) {
            for (const [number, one] of values) {
              expect([...(accounts[at] as Vectors).get(number)]).toEqual(
                Array(dimensions).fill(one),
              );
            }
          }
          // 32 bytes each: the dimensions are padded.
          const used = expected.map((values) => Math.max(-1, ...values.keys()) + 33);
          const usedBytes = used.reduce((sum, rows) => sum + rows * 32, 0);
          // It grows by an eighth more than needed.
          expect(arena.byteLength).toBeLessThan((2 * usedBytes + 5 * 2 ** 20) * 1.13);
        }
      }),
      { numRuns: runCount(30, 1_000), seed: testSeed },
    );
  });

  it('is zero where a new account has no vector', () => {
    const arena = new VectorArena(dimensions);
    const [first, second] = [new Vectors(arena, dimensions), new Vectors(arena, dimensions)];
    const row = new Uint8Array(dimensions).fill(5);
    for (let number = 0; number < 64; number += 1) first.set(number, row);
    first.free();
    second.set(63, row);
    expect([...second.get(0)]).toEqual(Array(dimensions).fill(0));
  });
});
