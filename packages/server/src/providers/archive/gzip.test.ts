import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import {
  type CompressionBlock,
  compress,
  decompress,
  endRecordBytes,
  parseEndRecordChecksum,
} from './gzip.ts';
import { concatChunks, splitIntoChunks } from './testing.ts';

const anyBlocks = fc.array(
  fc.record({ bytes: fc.uint8Array({ maxLength: 300 }), isStored: fc.boolean() }),
  { maxLength: 12 },
);

async function* inOrder(blocks: readonly CompressionBlock[]): AsyncGenerator<CompressionBlock> {
  yield* blocks;
}

it('members of both kinds form one gzip file for any chunk sizes', async () => {
  await fc.assert(
    fc.asyncProperty(anyBlocks, fc.integer({ min: 1, max: 400 }), async (blocks, size) => {
      const whole = Buffer.concat(blocks.map(({ bytes }) => bytes));
      const file = await concatChunks(compress(inOrder(blocks)));
      expect(gunzipSync(file).equals(whole)).toBe(true);
      expect((await concatChunks(decompress(splitIntoChunks(file, size)))).equals(whole)).toBe(
        true,
      );
      expect(parseEndRecordChecksum(file.subarray(-endRecordBytes))).not.toBeNull();
    }),
    { numRuns: runCount(50, 2_000) },
  );
});

it('uncompressed data has little overhead', async () => {
  const blocks = [{ bytes: Buffer.alloc(10 ** 6, 'abc'), isStored: true }];
  const stored = await concatChunks(compress(inOrder(blocks)));
  expect(stored.length).toBeGreaterThan(10 ** 6);
  expect(stored.length).toBeLessThan(1.001 * 10 ** 6);
});
