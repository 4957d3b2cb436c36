import type { Client } from '@mneme/sdk';

/**
 * Stores memories with 75 words of their own each, such as `ana7x74` for the last of memory 7 with
 * the prefix `ana`: each takes about 5 KB in the index.
 */
export async function storeManyWords(client: Client, prefix: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, i) => {
      const words = Array.from({ length: 75 }, (_, word) => `${prefix}${from + i}x${word}`);
      return { content: `Zebra ${words.join(' ')}` };
    });
    await client.memories.bulkCreate({ body: { memories: some } });
  }
}
