import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from './range.ts';

describe('a range of ten bytes', () => {
  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['Bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=99-100', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=0-1,3-4', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['lines=0-3', null],
    ['', null],
    [undefined, null],
  ])('%s is %j', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  it('lies within the bytes for any header', () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat().map((a) => `bytes=-${a}`),
    );
    fc.assert(
      fc.property(text, fc.nat({ max: 1_000_000 }), (header, bytes) => {
        const range = parseRange(header, bytes);
        if (range === null || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(bytes);
      }),
    );
  });
});
