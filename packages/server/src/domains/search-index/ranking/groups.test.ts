import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketStart, GroupCollector } from './groups.ts';

describe('firstDayOf', () => {
  it.each([
    ['2026-01-05T00:00:00.000Z', '2026-01-05', '2026-01-05', '2026-01-01'],
    ['2026-01-04T23:59:59.999Z', '2026-01-04', '2025-12-29', '2026-01-01'],
    ['2026-01-11T23:59:59.999Z', '2026-01-11', '2026-01-05', '2026-01-01'],
    ['2024-02-29T12:00:00.000Z', '2024-02-29', '2024-02-26', '2024-02-01'],
    ['1970-01-01T00:00:00.000Z', '1970-01-01', '1969-12-29', '1970-01-01'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31', '1969-12-29', '1969-12-01'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01', '0001-01-01', '0001-01-01'],
    ['0000-12-31T00:01:00.000Z', '0000-12-31', '0000-12-25', '0000-12-01'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31', '9999-12-27', '9999-12-01'],
  ])('of %s is the day %s, the Monday %s and the first of the month %s', (at, ...expected) => {
    const sizes = ['day', 'week', 'month'] as const;
    expect(sizes.map((size) => bucketStart(Date.parse(at), size))).toEqual(expected);
  });

  it('of a week is a Monday, no later and less than seven days before', () => {
    const at = fc.date({
      min: new Date('0001-01-08'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(at, (date) => {
        const monday = new Date(bucketStart(date.getTime(), 'week'));
        const days = (date.getTime() - monday.getTime()) / 86_400_000;
        expect(monday.getUTCDay()).toBe(1);
        expect(days).toBeGreaterThanOrEqual(0);
        expect(days).toBeLessThan(7);
      }),
    );
  });
});

describe('groups', () => {
  it('have count, average and three best items, the largest group first', () => {
    const item = fc.record({
      key: fc.constantFrom('a', 'b', 'c', '__proto__'),
      score: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(item), fc.integer({ min: 1, max: 4 }), (items, most) => {
        const sorted = items.toSorted((a, b) => b.score - a.score);
        const groups = new GroupCollector<number>();
        for (const [id, { key, score }] of sorted.entries()) groups.add(key, id, score);
        const found = groups.largest(4);
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
        for (const [i, { key, count, meanScore, top }] of found.entries()) {
          const own = sorted.flatMap((one, id) =>
            one.key === key ? [{ id, score: one.score }] : [],
          );
          expect(count).toBe(own.length);
          expect(meanScore).toBeCloseTo(own.reduce((sum, one) => sum + one.score, 0) / count);
          expect(top).toEqual(own.slice(0, 3));
          const next = found[i + 1];
          if (next)
            expect([next.count < count, next.count === count && next.key > key]).toContain(true);
        }
        expect(groups.largest(most)).toEqual(found.slice(0, most));
      }),
    );
  });
});
