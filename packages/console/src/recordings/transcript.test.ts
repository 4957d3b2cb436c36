import { describe, expect, it } from 'vitest';
import { findSegments, formatSeconds, segmentAt } from './transcript.ts';

const segments = [
  { start: 1, end: 3, text: 'Good morning.' },
  { start: 3, end: 6, text: 'The battery was dead.' },
  { start: 9, end: 12, text: 'We bought a new Battery in Graz.' },
];

describe('a transcript', () => {
  it('tells which segment is spoken, and in a pause the one before', () => {
    expect([0, 1, 2.9, 3, 7, 9, 99].map((at) => segmentAt(segments, at))).toEqual([
      ...[-1, 0, 0, 1, 1, 2, 2],
    ]);
    expect(segmentAt([], 5)).toBe(-1);
  });

  it('is searched for all words in any case', () => {
    expect(findSegments(segments, 'battery')).toEqual([1, 2]);
    expect(findSegments(segments, ' graz  new')).toEqual([2]);
    expect(findSegments(segments, ' ')).toEqual([]);
  });

  it('writes times as players do', () => {
    expect([0, 65, 3_725, -1].map(formatSeconds)).toEqual(['0:00', '1:05', '1:02:05', '0:00']);
  });
});
