import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  const create = () => {
    let nowMs = 0;
    const cache = new BoundedCache<number>(
      { monotonicMs: () => nowMs },
      { entriesMax: 2, ageMaxMs: 10 },
    );
    return { cache, pass: (ms: number) => (nowMs += ms) };
  };

  it('forgets the least recently used value', () => {
    const { cache } = create();
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
  });

  it('forgets a value after its time, also if it is used', () => {
    const { cache, pass } = create();
    cache.set('a', 1);
    pass(9);
    expect(cache.get('a')).toBe(1);
    pass(1);
    expect(cache.has('a')).toBe(false);
    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps a value for a time of its own, which is not longer', () => {
    const { cache, pass } = create();
    cache.set('short', 1, 5);
    cache.set('long', 2, 50);
    pass(5);
    expect(['short', 'long'].map((key) => cache.has(key))).toEqual([false, true]);
    pass(5);
    expect(cache.has('long')).toBe(false);
  });
});
