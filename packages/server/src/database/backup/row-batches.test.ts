import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAsyncIterable } from './database-backup.ts';
import { batchRows } from './row-batches.ts';

/** The batches of a text that arrives in chunks of these sizes, repeated. */
async function batchesOf(
  text: string,
  bytesMax: number,
  chunkBytes: readonly number[],
): Promise<string[]> {
  const bytes = Buffer.from(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = chunkBytes[chunks.length % chunkBytes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  const batches: string[] = [];
  for await (const batch of batchRows(toAsyncIterable(...chunks), bytesMax)) {
    const content = Buffer.concat(batch.chunks);
    expect(batch.bytes).toBe(content.length);
    batches.push(content.toString());
  }
  return batches;
}

describe('batches of rows', () => {
  it('end at row ends, and hold as many rows as fit', async () => {
    const text = 'aa\nbb\ncc\ndddd\ne\n';
    expect(await batchesOf(text, 6, [1])).toEqual(['aa\nbb\n', 'cc\n', 'dddd\n', 'e\n']);
    expect(await batchesOf(text, 6, [100])).toEqual(['aa\nbb\n', 'cc\n', 'dddd\n', 'e\n']);
    expect(await batchesOf(text, 100, [3])).toEqual([text]);
    expect(await batchesOf('', 6, [3])).toEqual([]);
  });

  it('contain a row larger than a batch on its own', async () => {
    const text = `a\n${'b'.repeat(50)}\nc\nd\n`;
    const expected = ['a\n', `${'b'.repeat(50)}\n`, 'c\nd\n'];
    expect(await batchesOf(text, 10, [7])).toEqual(expected);
    expect(await batchesOf(text, 10, [1_000])).toEqual(expected);
  });

  it('are complete and do not depend on the chunk sizes', async () => {
    const rows = fc.array(fc.string({ maxLength: 20 }).map((row) => `${row.replace(/\n/g, '')}\n`));
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, sizes, fc.integer({ min: 1, max: 40 }), async (all, chunks, max) => {
        const batches = await batchesOf(all.join(''), max, chunks);
        expect(batches.join('')).toBe(all.join(''));
        expect(batches).toEqual(await batchesOf(all.join(''), max, [1]));
        for (const batch of batches) {
          const isOneRow = batch.indexOf('\n') === batch.length - 1;
          expect(batch.endsWith('\n') && (isOneRow || Buffer.byteLength(batch) <= max)).toBe(true);
        }
      }),
    );
  });

  it('are rejected if the output ends in the middle of a row', async () => {
    await expect(batchesOf('a\nb', 10, [3])).rejects.toThrow('in the middle of a row');
  });
});
