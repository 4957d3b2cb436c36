import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippetOf } from './snippet.ts';

const show = (
  content: string,
  terms: string[],
  passage: readonly [number, number] = [0, content.length],
) => {
  const { snippet, ranges } = snippetOf(content, passage, new Set(terms), []);
  return { snippet, marked: ranges.map(([start, end]) => snippet.slice(start, end)) };
};
const filler = (words: number): string => 'lorem '.repeat(words).trim();

describe('a snippet', () => {
  it('of a short text is the text with the query terms marked', () => {
    expect(show('  Ana drinks tea. Tea! ', ['tea'])).toEqual({
      snippet: 'Ana drinks tea. Tea!',
      marked: ['tea', 'Tea'],
    });
  });

  it('of a long text is the part with the most of them, between whole words', () => {
    const content = `${filler(50)} tea ${filler(90)} green tea in a green cup ${filler(90)}`;
    const { snippet, marked } = show(content, ['tea', 'green', 'cup']);
    expect(marked).toEqual(['green', 'tea', 'green', 'cup']);
    expect(snippet).toMatch(/^… (?:lorem )+green tea in a green cup(?: lorem)+ …$/);
    expect(snippet.length).toBeLessThanOrEqual(244);
  });

  it('is from the best passage, with an ellipsis where the content continues', () => {
    const content = 'First of all tea. Then coffee. And tea again.';
    const start = content.indexOf('Then');
    const passage = [start, content.indexOf(' And')] as const;
    expect(show(content, ['tea', 'coffe'], passage)).toEqual({
      snippet: '… Then coffee. …',
      marked: ['coffee'],
    });
  });

  it('starts with the passage if it contains no query term', () => {
    const { snippet, marked } = show(filler(100), ['tea']);
    expect(snippet).toMatch(/^(?:lorem )+…$/);
    expect(marked).toEqual([]);
    expect(show('', ['tea'])).toEqual({ snippet: '', marked: [] });
  });

  it('contains the match if a text has few spaces', () => {
    const content = `${'今天天气很好。'.repeat(30)} 我 们去了动物园。${'后来下雨了。'.repeat(60)}`;
    const { snippet, marked } = show(content, ['动物', '物园']);
    expect(marked).toEqual(['动物园']);
    expect(snippet.length).toBeGreaterThan(200);
  });

  it('has its ranges in order inside of it, whatever the text, and no half characters', () => {
    const content = fc
      .array(fc.constantFrom('tea', ' ', '🦊', '茶', '\n', 'lorem', '🦊🦊🦊', 'é'), {
        maxLength: 300,
      })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(content, fc.nat(), fc.nat(), (text, a, b) => {
        const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].sort(
          (x, y) => x - y,
        );
        const { snippet, ranges } = snippetOf(text, [start, end], new Set(['tea', '茶']), [
          '🦊 🦊',
        ]);
        let before = -1;
        for (const [from, to] of ranges) {
          expect(from).toBeGreaterThan(before);
          expect(to).toBeGreaterThan(from);
          before = to;
        }
        expect(before).toBeLessThanOrEqual(snippet.length);
        expect(snippet.length).toBeLessThanOrEqual(244);
        if (text.slice(start, end).isWellFormed()) expect(snippet.isWellFormed()).toBe(true);
      }),
    );
  });
});
