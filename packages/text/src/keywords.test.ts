import { describe, expect, it } from 'vitest';
import { createKeywordScorer, type KeywordQuery } from './keywords.ts';
import { extractTerms } from './terms.ts';

const keywords = (text: string, more: Partial<KeywordQuery> = {}): KeywordQuery => {
  const { words, compounds, fragments } = extractTerms(text);
  const terms = [...words, ...compounds];
  const phrases = { requiredPhrases: [], preferredPhrases: [], excludedPhrases: [] };
  return { text, terms, fragments, ...phrases, excluded: [], ...more };
};
const excluding = (text: string): Partial<KeywordQuery> => ({
  excluded: [extractTerms(text).words],
});

describe('weighing by keywords', () => {
  it.each([
    ['tea', 'Green tea', 2],
    ['teas', 'Green tea', 1],
    ['green tea', 'Tea that is green', 2],
    ['green tea', 'Green tea', 3],
    ['gree', 'Green tea', 1],
    ['cafe', 'Café Noir', 2],
    ['get_user', 'about get_user_name', 3],
    ['绿茶', '我喜欢喝绿茶', 2],
    ['the', 'On the road', 1],
    ['coffee', 'Green tea', 0],
    ['e', 'Green tea', 0],
    ['   ', 'Green   tea', 0],
  ])('counts the terms of %j in %j, and the whole as it was typed: %i', (query, text, weight) => {
    expect(createKeywordScorer(keywords(query))(text)).toBe(weight);
  });

  it.each([
    ['a phrase that is there', { requiredPhrases: ['GREEN  tea'] }, 'Cups of green tea', true],
    ['a phrase in another order', { requiredPhrases: ['tea green'] }, 'Cups of green tea', false],
    [
      'a phrase of stop words',
      { text: 'who', terms: [], requiredPhrases: ['the who'] },
      'The Who',
      true,
    ],
    ['an excluded word', excluding('green'), 'Cups of green tea', false],
    ['another excluded word', excluding('black'), 'Cups of green tea', true],
    ['an excluded phrase', { excludedPhrases: ['green tea'] }, 'Cups of Green Tea', false],
  ])('heeds %s', (_what, more, text, matches) => {
    expect(createKeywordScorer(keywords('cups', more))(text) > 0).toBe(matches);
  });
});
