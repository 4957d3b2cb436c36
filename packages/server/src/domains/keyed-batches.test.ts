import { describe, expect, it } from 'vitest';
import { KeyedBatches } from './keyed-batches.ts';

/** Batches that are written when the test says so. */
function makeBatches(countMax = 10) {
  const started: { items: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  const batches = new KeyedBatches<string, string>({
    countNext: (waiting) => Math.min(waiting.length, countMax),
    async write(items) {
      const end = Promise.withResolvers<void>();
      started.push({ items, end });
      await end.promise;
      return items.map((item) => `${item}!`);
    },
  });
  /** Ends the last batch and lets the next one start. */
  const end = async (error?: Error): Promise<void> => {
    const last = started.at(-1);
    if (error) last?.end.reject(error);
    else last?.end.resolve();
    await new Promise(setImmediate);
  };
  return { batches, end, started: () => started.map(({ items }) => items.join(' ')) };
}

const lost = Object.assign(new Error('lost'), { code: '08006' });

describe('batches with keys', () => {
  it('have what arrived during the one before', async () => {
    const { batches, end, started } = makeBatches(2);
    const results = ['a', 'b', 'c', 'd'].map((item) => batches.add('one', item));
    for (let i = 0; i < 3; i += 1) await end();
    expect(started()).toEqual(['a', 'b c', 'd']);
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!', 'd!']);
  });

  it('do not wait for other keys', () => {
    const { batches, started } = makeBatches();
    void batches.add('one', 'a');
    void batches.add('other', 'b');
    expect(started()).toEqual(['a', 'b']);
  });

  it('start again after the last one', async () => {
    const { batches, end, started } = makeBatches();
    const first = batches.add('one', 'a');
    await end();
    const second = batches.add('one', 'b');
    await end();
    expect(await Promise.all([first, second])).toEqual(['a!', 'b!']);
    expect(started()).toEqual(['a', 'b']);
  });

  it('write the items of a failed one alone, before others', async () => {
    const { batches, end, started } = makeBatches();
    const results = ['a', 'b', 'c'].map((item) => batches.add('one', item));
    await end();
    const late = batches.add('one', 'd');
    const failure = new Error('b is wrong');
    await end(failure);
    const settled = Promise.allSettled([...results, late]);
    await end(failure);
    await end();
    await end();
    expect(started()).toEqual(['a', 'b c', 'b', 'c', 'd']);
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('fail with all that waits when the connection is lost', async () => {
    const { batches, end, started } = makeBatches(2);
    const results = ['a', 'b', 'c', 'd'].map((item) => batches.add('one', item));
    const settled = Promise.allSettled(results);
    await end();
    await end(lost);
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(started()).toEqual(['a', 'b c']);
    void batches.add('one', 'e');
    expect(started().at(-1)).toBe('e');
  });
});
