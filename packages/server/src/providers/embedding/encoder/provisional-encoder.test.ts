import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Embedder } from '../embedding.ts';
import { toUnitVector } from '../unit-vector.ts';
import { ProvisionalEncoder } from './provisional-encoder.ts';
import { readMatrixProgram } from './weights.ts';

const program = await readMatrixProgram();

/** Texts are JSON lists of three numbers: their vectors. */
const words: Embedder = {
  model: 'numbers',
  dimensions: 3,
  embed: async (texts) => texts.map((text) => Float32Array.from(JSON.parse(text) as number[])),
  [Symbol.asyncDispose]: async () => undefined,
};

const number = fc.integer({ min: -100, max: 100 }).map((value) => value / 16);
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });

it('maps word vectors as plain arithmetic does, to unit length', async () => {
  const dimensions = 16;
  await fc.assert(
    fc.asyncProperty(
      numbers(4 * dimensions),
      numbers(3),
      numbers(3),
      async (map, first, second) => {
        const encoder = new ProvisionalEncoder(words, Float32Array.from(map), dimensions, program);
        const expected = [first, second].map((vector) =>
          toUnitVector(
            Float32Array.from({ length: dimensions }, (_, column) =>
              [...vector, 1].reduce(
                (sum, value, row) => sum + value * (map[row * dimensions + column] as number),
                0,
              ),
            ),
          ),
        );
        const vectors = await encoder.embed(
          [first, second].map((vector) => JSON.stringify(vector)),
        );
        for (const [i, vector] of vectors.entries()) {
          for (const [j, value] of vector.entries())
            expect(value).toBeCloseTo(expected[i]?.[j] ?? 9, 5);
        }
      },
    ),
    { numRuns: 200 },
  );
});

it('rejects a map of another size', () => {
  expect(() => new ProvisionalEncoder(words, new Float32Array(5), 8, program)).toThrow(RangeError);
});
