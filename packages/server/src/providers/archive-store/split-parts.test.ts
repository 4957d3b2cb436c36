import { expect, it } from 'vitest';
import { splitIntoParts } from './split-parts.ts';

it('parts are twice as large in the second half of the 10,000 of an object', async () => {
  const content = Buffer.from(Uint8Array.from({ length: 20_000 }, (_, index) => index % 251));
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < content.length; from += 7) yield content.subarray(from, from + 7);
  }
  const sizes: number[] = [];
  const found: Buffer[] = [];
  for await (const { bytes, open } of splitIntoParts(source(), 2, new AbortController().signal)) {
    sizes.push(bytes);
    for await (const slice of open()) found.push(Buffer.from(slice));
  }
  expect(sizes).toEqual([...Array(5_000).fill(2), ...Array(2_500).fill(4)]);
  expect(Buffer.concat(found).equals(content)).toBe(true);
});
