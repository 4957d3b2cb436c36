import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightOf } from './highlight.ts';

const filler = 'nothing of note happened on that day and nobody wrote to us about it ';

describe('highlightOf', () => {
  it('returns a short passage completely', () => {
    expect(highlightOf('One. Two wagons. Three.', [5, 16], new Set(['wagon']))).toBe('Two wagons.');
    expect(highlightOf('All of it.', [0, 0], new Set())).toBe('All of it.');
  });

  it('returns the part of a long one with the most terms', () => {
    const text = `${filler.repeat(8)}The red wagon has a flat tyre. ${filler.repeat(8)}wagon`;
    const shown = highlightOf(text, [0, text.length], new Set(['wagon', 'tyre', 'flat']));
    expect(shown).toContain('The red wagon has a flat tyre.');
    expect(shown.startsWith('… ') && shown.endsWith(' …')).toBe(true);
  });

  it('contains the match if a text has no or few spaces', () => {
    const rows = (from: number): string =>
      Array.from({ length: 40 }, (_, i) => `{"id":${from + i},"kind":"box"}`).join(',');
    const json = `[${rows(100)},{"id":7,"kind":"wagon"},${rows(200)}]`;
    const shown = highlightOf(json, [0, json.length], new Set(['wagon']));
    expect(shown).toContain('"kind":"wagon"');
    expect(shown.length).toBeGreaterThan(300);
    const chinese = `茶 ${'今天天气很好。'.repeat(60)}我们去了动物园。${'后来下雨了。'.repeat(60)}`;
    const zoo = highlightOf(chinese, [0, chinese.length], new Set(['动物', '物园']));
    expect(zoo).toContain('我们去了动物园。');
    expect(highlightOf(chinese, [0, chinese.length], new Set()).length).toBeGreaterThan(300);
  });

  it('of a long text that repeats the query takes linear time', () => {
    const text = 'wagon,'.repeat(100_000);
    expect(highlightOf(text, [0, text.length], new Set(['wagon']))).toMatch(/^(?:wagon,)+\w* …$/);
  }, 5_000);

  it('is never longer than 400 characters and its marks, and is cut from the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2_000 });
    fc.assert(
      fc.property(text, fc.array(fc.lorem({ maxCount: 1 })), (content, terms) => {
        const shown = highlightOf(content, [0, content.length], new Set(terms));
        expect(shown.length).toBeLessThanOrEqual(404);
        expect(content).toContain(shown.replace(/^… /, '').replace(/ …$/, ''));
        expect(shown.isWellFormed() || !content.isWellFormed()).toBe(true);
      }),
    );
  });
});
