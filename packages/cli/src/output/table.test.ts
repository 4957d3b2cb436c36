import { describe, expect, it } from 'vitest';
import { renderTable } from './table.ts';
import { displayWidth, truncateToWidth } from './width.ts';

describe('displayWidth', () => {
  it.each([
    ['tea', 3],
    ['café', 4],
    ['cafe\u0301', 4],
    ['日本', 4],
    ['한국', 4],
    ['ｔｅａ', 6],
    ['🍵', 2],
    ['👩‍🔬', 2],
    ['', 0],
  ])('counts the columns of %s', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

describe('truncateToWidth', () => {
  it('keeps a text that fits, and ends another with an ellipsis within the width', () => {
    expect(truncateToWidth('tea', 3)).toBe('tea');
    expect(truncateToWidth('green tea', 6)).toBe('green…');
    expect(truncateToWidth('日本のお茶', 6)).toBe('日本…');
    expect(displayWidth(truncateToWidth('🍵'.repeat(40), 9))).toBeLessThanOrEqual(9);
  });

  it('reads only the start of a long text', () => {
    expect(truncateToWidth('é'.repeat(2_000_000), 5)).toBe('éééé…');
  });
});

describe('renderTable', () => {
  const id = '01a220f9-0fd9-7000-ad6f-601497476530';
  const long = 'The car would not start because its battery was dead, so Ana took the bus.';
  const rows = [
    ['ID', 'CREATED AT', 'TAGS', 'CONTENT'],
    [id, '2026-11-28 07:05Z', 'garage, car', long],
    [id, '2026-11-28 07:05Z', '', '日本語のお茶はとても美味しいです。毎朝飲みます。'],
  ];

  it('truncates nothing where the output is no terminal', () => {
    const lines = renderTable(rows, { width: null, textColumns: [3] });
    expect(lines[1]).toBe(`${id}  2026-11-28 07:05Z  garage, car  ${long}`);
  });

  it('fits every line, and truncates texts before anything else', () => {
    for (const width of [200, 120, 100, 80, 60, 40]) {
      const lines = renderTable(rows, { width, textColumns: [3], optionalColumns: [1, 2] });
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      if (width >= 60) expect(lines.slice(1).every((line) => line.startsWith(id))).toBe(true);
    }
  });

  it('omits optional columns, the last first, before a text has less than 20 columns', () => {
    const headings = (width: number): string | undefined =>
      renderTable(rows, { width, textColumns: [3], optionalColumns: [1, 2] })[0];
    expect(headings(100)).toMatch(/^ID +CREATED AT +TAGS +CONTENT$/);
    expect(headings(80)).toMatch(/^ID +CREATED AT +CONTENT$/);
    expect(headings(60)).toMatch(/^ID +CONTENT$/);
  });

  it('shares the width among texts', () => {
    const [line = ''] = renderTable([[id, 'a'.repeat(90), 'b'.repeat(50)]], {
      width: 80,
      textColumns: [1, 2],
    });
    expect(line).toMatch(/ a{19}… {2}b{19}…$/);
  });

  it('aligns wide characters, and styles the heading only', () => {
    const lines = renderTable(
      [
        ['A', 'B'],
        ['日本', 'x'],
        ['tea', 'y'],
      ],
      {
        width: null,
        heading: (text) => `<${text}>`,
      },
    );
    expect(lines).toEqual(['<A     B>', '日本  x', 'tea   y']);
  });

  it('prints nothing that a terminal would interpret', () => {
    expect(renderTable([['a\u001b[31m\nb']], { width: 20 })).toEqual(['a [31m b']);
  });
});
