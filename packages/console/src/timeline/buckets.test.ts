import { describe, expect, it } from 'vitest';
import { mergeByTime, startOfBucket, toBuckets } from './buckets.ts';

const at = (year: number, month: number, day: number, hour = 0) =>
  new Date(year, month - 1, day, hour).getTime();
const item = (id: string, atMs: number) => ({ id, atMs });

describe('buckets', () => {
  it('begin at midnight, on Monday, on the first day and in January', () => {
    const moment = at(2026, 11, 29, 15);
    expect(startOfBucket(moment, 'day')).toBe(at(2026, 11, 29));
    expect(startOfBucket(moment, 'week')).toBe(at(2026, 11, 23));
    expect(startOfBucket(moment, 'month')).toBe(at(2026, 11, 1));
    expect(startOfBucket(moment, 'year')).toBe(at(2026, 1, 1));
    expect(startOfBucket(at(2026, 11, 23), 'week')).toBe(at(2026, 11, 23));
  });

  it('keep the order of the items', () => {
    const items = [item('c', at(2026, 3, 2)), item('b', at(2026, 3, 1)), item('a', at(2026, 2, 9))];
    expect(toBuckets(items, 'month')).toEqual([
      { startMs: at(2026, 3, 1), items: items.slice(0, 2) },
      { startMs: at(2026, 2, 1), items: items.slice(2) },
    ]);
  });
});

describe('mergeByTime', () => {
  const list = (isComplete: boolean, ...items: { id: string; atMs: number }[]) => ({
    items,
    isComplete,
  });

  it('joins lists, newest first, down to where all of them are known', () => {
    const memories = list(false, item('m3', 9), item('m2', 5));
    const sessions = list(true, item('s2', 7), item('s1', 1));
    expect(mergeByTime([memories, sessions]).map(({ id }) => id)).toEqual(['m3', 's2', 'm2']);
    const rest = list(true, ...memories.items, item('m1', 0));
    expect(mergeByTime([rest, sessions]).map(({ id }) => id)).toEqual([
      ...['m3', 's2', 'm2', 's1', 'm1'],
    ]);
  });

  it('shows nothing of one list before another one is read at all', () => {
    expect(mergeByTime([list(false), list(true, item('s', 1))])).toEqual([]);
  });
});
