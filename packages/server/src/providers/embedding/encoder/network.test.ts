import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleWasm } from '../../../../../../tools/assemble-wasm.ts';
import { dotProduct } from '../unit-vector.ts';
import { EncoderNetwork } from './network.ts';
import { TextEncoder } from './text-encoder.ts';
import { readEncoderPack } from './weights.ts';

const pack = await readEncoderPack();
const asset = (name: string): URL => new URL(`../../../../assets/encoder/${name}`, import.meta.url);

interface Program {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  multiply(...addressesAndSizes: readonly number[]): void;
}

describe('the product of matrices', () => {
  it('runs the program that is assembled from its source', async () => {
    const stored = await readFile(asset('matrix.wasm'));
    expect(Buffer.from(await assembleWasm(asset('matrix.wat'))).equals(stored)).toBe(true);
  });

  it('equals plain arithmetic', () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(pack.program));
    const { memory, multiply } = exports as unknown as Program;
    memory.grow(4);
    const byte = (min: number, max: number, length: number) =>
      fc.array(fc.integer({ min, max }), { minLength: length, maxLength: length });
    const [count, outputs, inputs] = [8, 3, 48];
    const cases = [byte(0, 127, count * inputs), byte(-127, 127, outputs * inputs)] as const;
    fc.assert(
      fc.property(...cases, (rows, matrix) => {
        const { buffer } = memory;
        new Uint8Array(buffer, 0, rows.length).set(rows);
        new Int8Array(buffer, 1_024, matrix.length).set(matrix);
        const put = (at: number, values: readonly number[]): number => {
          new Float32Array(buffer, at, values.length).set(values);
          return at;
        };
        const rowScale = put(2_048, [1, 2, 3, 4, 5, 6, 7, 8]);
        const scale = put(2_304, [1, 0.5, 0.25]);
        const offset = put(2_560, [0, 64, -64]);
        const bias = put(2_816, [0, 1, 2]);
        multiply(0, 1_024, 4_096, count, outputs, inputs, rowScale, scale, offset, bias);
        const products = new Float32Array(buffer, 4_096, count * outputs);
        for (const [i, product] of products.entries()) {
          const [row, output] = [Math.floor(i / outputs), i % outputs];
          let sum = 0;
          for (let j = 0; j < inputs; j += 1) {
            sum += (rows[row * inputs + j] ?? 0) * (matrix[output * inputs + j] ?? 0);
          }
          const shifted = sum - ([0, 64, -64][output] ?? 0);
          const exact = shifted * (row + 1) * 0.5 ** output + output;
          expect(Math.abs(product - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-6);
        }
      }),
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
