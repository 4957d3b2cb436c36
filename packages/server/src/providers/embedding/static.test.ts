import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { loadStaticEmbedder } from './static.ts';
import { dotProduct } from './unit-vector.ts';

const embedder = await loadStaticEmbedder();
const embedOne = async (text: string) => {
  const [vector] = await embedder.embed([text], 'document');
  if (!vector) throw new Error('no vector');
  return vector;
};

test('any text has a unit vector, the same each time', async () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' })));
  await fc.assert(
    fc.asyncProperty(texts, async (sample) => {
      const first = await embedder.embed(sample, 'document');
      const second = await embedder.embed(sample, 'query');
      expect(first).toEqual(second);
      expect(first).toHaveLength(sample.length);
      for (const vector of first) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(dotProduct(vector, vector)).toBeCloseTo(1, 5);
      }
    }),
  );
});

test('vectors have the order of the texts', async () => {
  const texts = ['apples and pears', 'the deploy failed', 'my sister plays chess', ''];
  const together = await embedder.embed(texts, 'document');
  const alone = await Promise.all(texts.map(embedOne));
  expect(together).toEqual(alone);
});

test('other work runs while many texts of one call are embedded', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  // Each look at the clock advances it by a millisecond.
  let nowMs = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => ++nowMs);
  const differentWords = Array.from({ length: 1_250 }, (_, i) => `${i}`).join(' ');
  await embedder.embed(new Array(40).fill(differentWords), 'document');
  isDone = true;
  spy.mockRestore();
  expect(nowMs).toBeGreaterThan(200);
  expect(turns).toBeGreaterThanOrEqual(nowMs / 7);
});

test.each(['', '   ', '🎉', '東京は大きい都市です', 'Привет мир', 'xqzvvk', '42', '!?'])(
  'a text without known words is only similar to itself: %j',
  async (text) => {
    const vector = await embedOne(text);
    const other = await embedOne('We had dinner with friends at the harbour.');
    expect(dotProduct(vector, await embedOne(text))).toBeCloseTo(1, 5);
    expect(Math.abs(dotProduct(vector, other))).toBeLessThan(0.5);
  },
);

test('an aborted call rejects with the reason', async () => {
  const reason = new Error('gone');
  const call = embedder.embed(['hello'], 'query', AbortSignal.abort(reason));
  await expect(call).rejects.toBe(reason);
});
