import { describe, expect, it } from 'vitest';
import { releaseBuffers } from './release-buffers.ts';

async function* piecesOf(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

describe('pieces of an upload', () => {
  it('are whole while they are read, and freed once the next is asked for', async () => {
    const pieces = [new Uint8Array(65_536).fill(1), new Uint8Array(65_536).fill(2)];
    const seen: number[] = [];
    for await (const piece of releaseBuffers(piecesOf(...pieces))) {
      seen.push(piece.reduce((sum, byte) => sum + byte, 0));
      expect(pieces.map(({ byteLength }) => byteLength)).toEqual(
        seen.length === 1 ? [65_536, 65_536] : [0, 65_536],
      );
    }
    expect(seen).toEqual([65_536, 131_072]);
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  });

  it('stay where others may have parts of the same memory', async () => {
    const shared = new Uint8Array(131_072).fill(7);
    const pooled = Buffer.from('a few bytes of the pool');
    for await (const _ of releaseBuffers(piecesOf(shared.subarray(0, 65_536), pooled)));
    expect(shared.every((byte) => byte === 7)).toBe(true);
    expect(pooled.toString()).toBe('a few bytes of the pool');
  });
});
