import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery, termsOfPhrase, toDecimalString } from './query.ts';

describe('parseQuery', () => {
  it.each([
    ['red tea', { text: 'red tea', requiredPhrases: [], preferredPhrases: [], excluded: [] }],
    ['"red tea" cup', { text: 'red tea  cup', requiredPhrases: [], preferredPhrases: ['red tea'] }],
    [
      '+"red tea" cup',
      { text: 'red tea  cup', requiredPhrases: ['red tea'], preferredPhrases: [] },
    ],
    ['"red tea" "cup"', { requiredPhrases: ['red tea', 'cup'], preferredPhrases: [] }],
    ['"red tea" -cup', { requiredPhrases: ['red tea'], excluded: [['cup']] }],
    ['a+"b c"', { text: 'a+"b c"', requiredPhrases: [], preferredPhrases: [] }],
    [
      'gannet-9-x C3',
      { terms: ['gannet', '9', 'x', 'c', '3', 'c3'], fragments: ['9', 'x', 'c', '3'] },
    ],
    ['vitamin d', { fragments: [] }],
    ['tea -coffee', { text: 'tea', requiredPhrases: [], excluded: [['coffe']] }],
    ['tea -"black coffee"', { text: 'tea', excluded: [], excludedPhrases: ['black coffee'] }],
    ['well-known e-mail', { text: 'well-known e-mail', requiredPhrases: [], excluded: [] }],
    ['- lonely', { text: '- lonely', requiredPhrases: [], excluded: [] }],
    ['"unclosed', { text: '"unclosed', requiredPhrases: [], excluded: [] }],
    ['"" tea', { requiredPhrases: [], preferredPhrases: [], excludedPhrases: [] }],
    ['"the  red\n tea"', { requiredPhrases: ['the red tea'] }],
    ['-src/app.ts main', { text: 'main', excluded: [['src', 'app', 'ts', 'src/app.ts']] }],
  ])('reads %s', (q, expected) => {
    expect(parseQuery(q)).toMatchObject(expected);
  });

  it('parses any text', () => {
    const parts = fc.constantFrom(
      '"',
      '-',
      '-"',
      ' ',
      'a',
      '東',
      '🙂',
      '\n',
      'e\u0301',
      '\\',
      '""',
    );
    const any = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(parts, { maxLength: 1_000 }).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(any, (q) => {
        const { terms, requiredPhrases: phrases, excluded } = parseQuery(q);
        const required = phrases.flatMap(termsOfPhrase);
        for (const term of [...terms, ...phrases, ...required, ...excluded.flat()]) {
          expect(term.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('termsOfPhrase', () => {
  it.each([
    ['the red tea', ['red', 'tea']],
    ['of the', []],
    ['東', []],
    ['日本語', ['日本', '本語']],
  ])('of "%s" are those that whatever holds it holds', (phrase, terms) => {
    expect(termsOfPhrase(phrase)).toEqual(terms);
  });
});

describe('plainNumber', () => {
  it('writes any number without an exponent, and the same one', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(toDecimalString(value)).toMatch(/^-?\d+(?:\.\d+)?$/);
        expect(Number(toDecimalString(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});
