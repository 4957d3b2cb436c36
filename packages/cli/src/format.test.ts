import { describe, expect, it } from 'vitest';
import { excerpt, formatList, formatTable, formatTimeRange, toOneLine } from './format.ts';

describe('table', () => {
  it('aligns its columns and leaves no blanks at the end', () => {
    expect(
      formatTable([
        ['id', 'abc', 'x'],
        ['longer', 'd', ''],
      ]),
    ).toEqual(['id      abc  x', 'longer  d']);
  });
});

describe('list', () => {
  const columns = { id: (record: { id: string }) => record.id, kind: () => 'k' };

  it('puts the names of the columns on top', () => {
    expect(formatList([{ id: 'abc' }], columns, 'none')).toEqual(['ID   KIND', 'abc  k']);
  });

  it('says that there is nothing', () => {
    expect(formatList([], columns, 'none')).toEqual(['none']);
  });
});

describe('oneLine', () => {
  it('lets nothing through that a terminal would obey', () => {
    expect(toOneLine('a\u001b[2Jb\r\nc\u009bd\u202ee\t')).toBe('a [2Jb c d e');
  });
});

describe('excerpt', () => {
  it('leaves short text whole', () => {
    expect(excerpt('tea', 3)).toBe('tea');
  });

  it('cuts between characters and says so', () => {
    expect(excerpt('🍵🍵🍵🍵', 3)).toBe('🍵🍵…');
  });

  it('says that it cuts where the start holds little to show', () => {
    expect(excerpt(`tea${'\n'.repeat(100)}coffee`, 10)).toBe('tea…');
  });
});

describe('span', () => {
  it.each([
    [0.4, 3.9, '[0:00–0:04]'],
    [12, 15, '[0:12–0:15]'],
    [59.5, 3_725.1, '[0:59–1:02:06]'],
    [3_600, 3_601, '[1:00:00–1:00:01]'],
    [7, 7, '[0:07]'],
  ])('writes %d to %d as %s', (start, end, text) => {
    expect(formatTimeRange(start, end)).toBe(text);
  });
});
