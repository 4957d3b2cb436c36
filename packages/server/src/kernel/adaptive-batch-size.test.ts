import { describe, expect, it } from 'vitest';
import { AdaptiveBatchSize } from './adaptive-batch-size.ts';
import type { Clock } from './clock.ts';

/** The sizes of steps whose rows take these milliseconds each. */
async function sizesAt(msPerRow: (step: number) => number, steps: number): Promise<number[]> {
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs } as Clock;
  const pace = new AdaptiveBatchSize(clock);
  const sizes: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    await pace.run(async (rows) => {
      sizes.push(rows);
      nowMs += rows * msPerRow(step);
    });
  }
  return sizes;
}

describe('AdaptiveBatchSize', () => {
  it('starts with few rows, and doubles them while they are fast, up to 200', async () => {
    expect(await sizesAt(() => 0.01, 8)).toEqual([4, 8, 16, 32, 64, 128, 200, 200]);
  });

  it('finds the number of rows that takes 20 ms', async () => {
    expect((await sizesAt(() => 1, 6)).at(-1)).toBe(20);
    expect((await sizesAt(() => 4, 6)).at(-1)).toBe(5);
  });

  it('uses single rows while they are slow, and grows again afterwards', async () => {
    const sizes = await sizesAt((step) => (step < 3 ? 500 : 0.01), 6);
    expect(sizes).toEqual([4, 1, 1, 1, 2, 4]);
  });
});
