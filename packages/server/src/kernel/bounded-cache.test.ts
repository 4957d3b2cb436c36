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
    expect(cache.get('a')).toBeUndefined();
  });
});
