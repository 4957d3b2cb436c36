import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightTerms } from './highlight.ts';

const matchesIn = (text: string, terms: readonly string[]) =>
  highlightTerms(text, terms)
    .filter(({ isMatch }) => isMatch)
    .map((part) => part.text);

describe('highlightTerms', () => {
  it('marks words that begin with a stem, in any case and script', () => {
    expect(matchesIn('The Batteries, a battery of cars; a scar.', ['batteri', 'car'])).toEqual([
      'Batteries',
      'battery',
      'cars',
    ]);
    expect(matchesIn('Чай и çay', ['чай', 'çay'])).toEqual(['Чай', 'çay']);
    expect(matchesIn('carpenters', ['car'])).toEqual([]);
  });

  it('changes no text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (text, terms) => {
        const parts = highlightTerms(text, terms);
        expect(parts.map((part) => part.text).join('')).toBe(text);
      }),
    );
  });
});
