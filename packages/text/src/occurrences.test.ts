import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOccurrences } from './occurrences.ts';
import { extractTerms } from './terms.ts';

const termSet = (text: string): Set<string> => {
  const { words, compounds } = extractTerms(text);
  return new Set([...words, ...compounds]);
};
const marked = (text: string, query: string, phrases: readonly string[] = []): string[] =>
  findOccurrences(text, termSet(query), phrases).map(([start, end]) => text.slice(start, end));

describe('occurrences', () => {
  it.each([
    ['Green tea, black TEA and teas', 'tea', ['tea', 'TEA', 'teas']],
    ['She went to Lisbon', 'go lisbon', ['went', 'Lisbon']],
    ['the Café and the cafe\u0301', 'cafe', ['Café', 'cafe\u0301']],
    ['call get_user_name() now', 'get_user_name', ['get_user_name']],
    ['call get_user_name() now', 'user', ['user']],
    ['parseHttpHeader fails', 'header', ['parseHttpHeader']],
    ['see src/http/bind.ts', 'bind.ts', ['bind', 'ts']],
    ['see src/http/bind.ts', 'src/http/bind.ts', ['src/http/bind.ts']],
    ['release 1.2.3 of it', '1.2.3', ['1.2.3']],
    ['我喜欢喝绿茶和红茶', '绿茶', ['绿茶']],
    ['我喜欢喝绿茶和红茶', '喜欢喝', ['喜欢喝']],
    ['東京タワーに行きました', '東京タワー', ['東京タワー']],
    ['다음 주 화요일에 회의', '화요일', ['화요일']],
    ['Собрание перенесено', 'собрание', ['Собрание']],
    ['so far', 'со', []],
    ['nothing here', 'tea', []],
    ['the and of', 'the', []],
  ])('in %j of %j are %j', (text, query, expected) => {
    expect(marked(text, query)).toEqual(expected);
  });

  it.each([
    ['On the\n road again', ['the road'], ['the\n road']],
    ['a.b and axb', ['a.b'], ['a.b']],
    ['(x+y)?', ['(x+y)?'], ['(x+y)?']],
    ['ÜBERGABE', ['übergabe'], ['ÜBERGABE']],
    ['nothing', [' '], []],
  ])('in %j of the phrases %j are %j', (text, phrases, expected) => {
    expect(marked(text, '', phrases)).toEqual(expected);
  });

  it('are in order, disjoint and inside any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('tea', '绿茶', 'a_b', '-', '"', ' ', 'é'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, texts, fc.array(texts), (text, query, phrases) => {
        let before = -1;
        for (const [start, end] of findOccurrences(text, termSet(query), phrases)) {
          expect(start).toBeGreaterThan(before);
          expect(end).toBeGreaterThan(start);
          before = end;
        }
        expect(before).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
