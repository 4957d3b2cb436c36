import { afterAll, describe, expect, it } from 'vitest';
import { VectorArena } from '../account/arena.ts';
import {
  chunksOffset,
  createDotMemory,
  type DotProgram,
  instantiateDots,
  pageBytes,
} from '../account/dot-program.ts';
import { Vectors } from '../account/vectors.ts';
import { DotProductThread } from './dot-product-thread.ts';

const dimensions = 21;
/** More than the thread takes part from. */
const rows = 40_000;

/** The same pseudo-random bytes in each arena. */
function fill(vectors: Vectors): Float32Array {
  const bytes = new Int8Array(rows * dimensions);
  let state = 1;
  for (let i = 0; i < bytes.length; i += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    bytes[i] = state >> 24;
  }
  vectors.addAll(0, bytes);
  return new Float32Array(rows).fill(1 / 300);
}

const centred = new Float32Array(rows).fill(0.9);
const queryOf = (seed: number) => ({
  vector: Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed * (i + 1))),
  length: 1,
  meanDot: 0.01,
});

/** As bytes, which compare fast. */
function cosinesOf(vectors: Vectors, inverseNorms: Float32Array, seed: number): Buffer {
  const out = new Float32Array(rows);
  vectors.beginCosines(queryOf(seed), { inverseNorms, centred }, out)();
  return Buffer.from(out.buffer);
}

describe('a thread that helps with dot products', () => {
  const unexpected: Error[] = [];
  const helper = new DotProductThread((error) => unexpected.push(error));
  afterAll(() => helper.close());

  it('takes chunks of large accounts', async () => {
    const memory = createDotMemory();
    const program = instantiateDots(memory);
    const stride = 16;
    const chunks = Array.from({ length: 600 }, () => chunksOffset);
    let own = 0;
    const dots: DotProgram['dots'] = (...given) => {
      own += 1;
      program.dots(...given);
    };
    memory.grow(2);
    const task = { memory, program: { dots }, stride, products: pageBytes };
    expect(helper.canTake(100)).toBe(false);
    const countHelped = (): number => {
      own = 0;
      helper.begin(task, chunks)?.();
      return chunks.length - own;
    };
    // Once it runs, and takes one before the searcher has taken all.
    await expect.poll(countHelped).toBeGreaterThan(0);
  });

  it('computes what the searcher computes alone', async () => {
    const alone = new Vectors(new VectorArena(dimensions), dimensions);
    const inverseNorms = fill(alone);
    const arena = new VectorArena(dimensions, helper);
    const [former, helped] = [new Vectors(arena, dimensions), new Vectors(arena, dimensions)];
    fill(former);
    fill(helped);
    const areEqual = (seed: number): boolean =>
      cosinesOf(helped, inverseNorms, seed).equals(cosinesOf(alone, inverseNorms, seed));
    for (let seed = 0; seed < 100; seed += 1) {
      // The vectors move to another memory.
      if (seed === 50) former.free();
      expect(areEqual(seed)).toBe(true);
    }
    await helper.close();
    // Without it the searcher computes alone again.
    for (let seed = 0; seed < 3; seed += 1) expect(areEqual(seed)).toBe(true);
    expect(unexpected).toEqual([]);
  });

  it('reports its end once, and the searcher computes alone', async () => {
    const failures: Error[] = [];
    const failing = new DotProductThread((error) => failures.push(error));
    // Too small for the program of the thread.
    const memory = new WebAssembly.Memory({ initial: 0, maximum: 1, shared: true });
    const chunks = Array.from({ length: 600 }, () => chunksOffset);
    let own = 0;
    const dots: DotProgram['dots'] = () => {
      own += 1;
    };
    const task = { memory: memory as SharedWebAssemblyMemory, program: { dots }, stride: 16 };
    for (let round = 1; round <= 3; round += 1) {
      own = 0;
      failing.begin({ ...task, products: pageBytes }, chunks)?.();
      expect(own).toBe(chunks.length);
      await expect.poll(() => failures.length).toBe(1);
    }
    expect(failures[0]?.message).toContain('memory');
    await failing.close();
  });
});
