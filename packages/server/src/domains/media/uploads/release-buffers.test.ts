import { describe, expect, it } from 'vitest';
import { releaseBuffers } from './release-buffers.ts';

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe('chunks of an upload', () => {
  it('are readable until the next one is requested, and then freed', async () => {
    const chunks = [new Uint8Array(65_536).fill(1), new Uint8Array(65_536).fill(2)];
    const sums: number[] = [];
    for await (const chunk of releaseBuffers(chunksOf(...chunks))) {
      sums.push(chunk.reduce((sum, byte) => sum + byte, 0));
      expect(chunks.map(({ byteLength }) => byteLength)).toEqual(
        sums.length === 1 ? [65_536, 65_536] : [0, 65_536],
      );
    }
    expect(sums).toEqual([65_536, 131_072]);
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  });

  it('are not freed if other views share their memory', async () => {
    const shared = new Uint8Array(131_072).fill(7);
    const pooled = Buffer.from('a few bytes of the pool');
    for await (const _ of releaseBuffers(chunksOf(shared.subarray(0, 65_536), pooled)));
    expect(shared.every((byte) => byte === 7)).toBe(true);
    expect(pooled.toString()).toBe('a few bytes of the pool');
  });
});
