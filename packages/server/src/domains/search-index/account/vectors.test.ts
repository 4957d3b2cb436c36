import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleWasm } from '../../../../../../tools/assemble-wasm.ts';
import { quantiseVector } from '../model.ts';
import { VectorArena, Vectors } from './vectors.ts';

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
