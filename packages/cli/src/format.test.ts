import { describe, expect, it } from 'vitest';
import { excerpt, formatList, formatTable, formatTimeRange, toOneLine } from './format.ts';

describe('formatTable', () => {
  it('aligns its columns and leaves no blanks at the end', () => {
    expect(
      formatTable([
        ['id', 'abc', 'x'],
        ['longer', 'd', ''],
      ]),
    ).toEqual(['id      abc  x', 'longer  d']);
  });
});

describe('formatList', () => {
  const columns = { id: (record: { id: string }) => record.id, kind: () => 'k' };

  it('prints the column names first', () => {
    expect(formatList([{ id: 'abc' }], columns, 'none')).toEqual(['ID   KIND', 'abc  k']);
  });

  it('prints a line for an empty list', () => {
    expect(formatList([], columns, 'none')).toEqual(['none']);
  });
});

describe('toOneLine', () => {
  it('removes control characters that a terminal would interpret', () => {
    expect(toOneLine('a\u001b[2Jb\r\nc\u009bd\u202ee\t')).toBe('a [2Jb c d e');
  });
});

describe('excerpt', () => {
  it('does not change a short text', () => {
    expect(excerpt('tea', 3)).toBe('tea');
  });

  it('truncates between characters and appends an ellipsis', () => {
    expect(excerpt('🍵🍵🍵🍵', 3)).toBe('🍵🍵…');
  });

  it('appends an ellipsis where only control characters follow the start', () => {
    expect(excerpt(`tea${'\n'.repeat(100)}coffee`, 10)).toBe('tea…');
  });
});

describe('formatTimeRange', () => {
  it.each([
    [0.4, 3.9, '[0:00–0:04]'],
    [12, 15, '[0:12–0:15]'],
    [59.5, 3_725.1, '[0:59–1:02:06]'],
    [3_600, 3_601, '[1:00:00–1:00:01]'],
    [7, 7, '[0:07]'],
  ])('formats %d to %d as %s', (start, end, text) => {
    expect(formatTimeRange(start, end)).toBe(text);
  });
});
