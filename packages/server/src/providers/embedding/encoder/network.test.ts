import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleWasm } from '../../../../../../tools/assemble-wasm.ts';
import { dotProduct } from '../unit-vector.ts';
import { Attention } from './attention.ts';
import type { MatrixProgram } from './matrix-program.ts';
import { EncoderNetwork } from './network.ts';
import { TextEncoder } from './text-encoder.ts';
import { readEncoderPack } from './weights.ts';

const pack = await readEncoderPack();
const asset = (name: string): URL => new URL(`../../../../assets/encoder/${name}`, import.meta.url);

function startProgram(): MatrixProgram {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(pack.program));
  const program = exports as unknown as MatrixProgram;
  program.memory.grow(4);
  return program;
}

describe('the product of matrices', () => {
  it('runs the program that is assembled from its source', async () => {
    const stored = await readFile(asset('matrix.wasm'));
    expect(Buffer.from(await assembleWasm(asset('matrix.wat'))).equals(stored)).toBe(true);
  });

  it.each([0, 1])('equals plain arithmetic (in two steps: %d)', (inTwoSteps) => {
    const { memory, multiply } = startProgram();
    const byte = (min: number, max: number, length: number) =>
      fc.array(fc.integer({ min, max }), { minLength: length, maxLength: length });
    const [count, outputs, inputs] = [8, 4, 48];
    const cases = [byte(0, 127, count * inputs), byte(-127, 127, outputs * inputs)] as const;
    const offsets = [0, 64, -64, 1_000];
    fc.assert(
      fc.property(...cases, fc.constantFrom(-Infinity, 0), (rows, matrix, floor) => {
        const { buffer } = memory;
        new Uint8Array(buffer, 0, rows.length).set(rows);
        new Int8Array(buffer, 1_024, matrix.length).set(matrix);
        const put = (at: number, values: readonly number[]): number => {
          new Float32Array(buffer, at, values.length).set(values);
          return at;
        };
        const rowScale = put(2_048, [1, 2, 3, 4, 5, 6, 7, 8]);
        const scale = put(2_304, [1, 0.5, 0.25, 0.125]);
        const offset = put(2_560, offsets);
        const bias = put(2_816, [0, 1, 2, 3]);
        multiply(
          0,
          1_024,
          4_096,
          count,
          outputs,
          inputs,
          rowScale,
          scale,
          offset,
          bias,
          floor,
          inTwoSteps,
        );
        const products = new Float32Array(buffer, 4_096, count * outputs);
        for (const [i, product] of products.entries()) {
          const [row, output] = [Math.floor(i / outputs), i % outputs];
          let sum = 0;
          for (let j = 0; j < inputs; j += 1) {
            sum += (rows[row * inputs + j] ?? 0) * (matrix[output * inputs + j] ?? 0);
          }
          const shifted = sum - (offsets[output] ?? 0);
          const exact = Math.max(floor, shifted * (row + 1) * 0.5 ** output + output);
          expect(Math.abs(product - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-6);
        }
      }),
    );
  });
});

const floats = (length: number, min = -3) =>
  fc
    .array(fc.float({ min, max: 3, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => Float32Array.from(values));

describe('the quantisation of rows', () => {
  it.each([0, 64] as const)('rounds to the nearest of its levels around %d', (zeroPoint) => {
    const { memory, quantise_rows: quantiseRows } = startProgram();
    fc.assert(
      fc.property(floats(48, zeroPoint === 0 ? 0 : -3), (rows) => {
        new Float32Array(memory.buffer, 0, 48).set(rows);
        quantiseRows(0, 1_024, 2_048, 3, 16, zeroPoint);
        const quantised = new Uint8Array(memory.buffer, 1_024, 48);
        const scales = new Float32Array(memory.buffer, 2_048, 3);
        for (const [i, value] of rows.entries()) {
          const scale = scales[Math.floor(i / 16)] as number;
          const restored = ((quantised[i] as number) - zeroPoint) * scale;
          expect(Math.abs(restored - value)).toBeLessThanOrEqual(scale * 0.5001 + 1e-9);
          expect(quantised[i]).toBeLessThanOrEqual(127);
        }
      }),
    );
  });
});

describe('the normalisation of rows', () => {
  it('gives each row the mean of the bias and the deviation of the weight', () => {
    const { memory, normalise_rows: normaliseRows } = startProgram();
    const put = (at: number, values: readonly number[]): void =>
      new Float32Array(memory.buffer, at, values.length).set(values);
    const rows = [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 9, 5, 1, 5, 1, 5, 1, 5, 1];
    put(0, rows);
    put(1_024, Array(8).fill(2));
    put(2_048, Array(8).fill(1));
    normaliseRows(0, 1_024, 2_048, 3_072, 3, 8, 1e-6);
    for (let row = 0; row < 3; row += 1) {
      const normed = new Float32Array(memory.buffer, 3_072 + row * 32, 8);
      const mean = normed.reduce((sum, value) => sum + value, 0) / 8;
      const variance = normed.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 8;
      expect(mean).toBeCloseTo(1, 5);
      expect(Math.sqrt(variance)).toBeCloseTo(2, 4);
    }
  });
});

describe('Attention', () => {
  it('mixes the values by the softmax of the scaled products, each head for itself', () => {
    const [count, size, heads] = [3, 32, 2];
    const [width, stride] = [size / heads, 3 * size];
    const program = startProgram();
    const attention = new Attention(program, { projected: 0, shares: 2_048, mixed: 4_096 });
    const range = { min: -3, max: 3, noNaN: true };
    const length = count * stride;
    fc.assert(
      fc.property(
        fc.array(fc.float(range), { minLength: length, maxLength: length }),
        (projected) => {
          new Float32Array(program.memory.buffer, 0, length).set(projected);
          const mixed = attention.mix({ count, size, heads });
          for (const [i, value] of mixed.entries()) {
            const [row, place] = [Math.floor(i / size), i % size];
            const from = place - (place % width);
            const scores = Array.from({ length: count }, (_, other) => {
              let sum = 0;
              for (let j = from; j < from + width; j += 1) {
                sum +=
                  (projected[row * stride + j] ?? 0) * (projected[other * stride + size + j] ?? 0);
              }
              return Math.exp(sum / Math.sqrt(width));
            });
            const total = scores.reduce((sum, score) => sum + score, 0);
            const exact = scores.reduce(
              (sum, score, other) =>
                sum + (score / total) * (projected[other * stride + 2 * size + place] ?? 0),
              0,
            );
            expect(value).toBeCloseTo(exact, 4);
          }
        },
      ),
    );
  });
});

describe('EncoderNetwork', () => {
  it('computes what the network computes with floats', async () => {
    const url = new URL('fixtures/float-vectors.json', import.meta.url);
    const expected = JSON.parse(await readFile(url, 'utf8')) as {
      text: string;
      ids: number[];
      vector: number[];
    }[];
    const network = new EncoderNetwork(pack);
    for (const { ids, vector } of expected) {
      expect(dotProduct(network.encode(ids), Float32Array.from(vector))).toBeGreaterThan(0.997);
    }
    expect(expected.length).toBeGreaterThan(4);
  });
});

describe('TextEncoder', () => {
  const encoder = new TextEncoder(pack);

  it('encodes a long text as the mean of its windows', () => {
    const kettle = 'The kettle in the kitchen boils water for tea. '.repeat(40);
    const both = dotProduct(encoder.encode(kettle), encoder.encode('boiling water for tea'));
    const other = dotProduct(encoder.encode(kettle), encoder.encode('quarterly sales figures'));
    expect(both).toBeGreaterThan(other + 0.2);
  });

  it('gives a unit vector for any text', () => {
    for (const text of ['', '猫', 'a', 'x'.repeat(100_000), '\u0000']) {
      const vector = encoder.encode(text);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
  });
});
