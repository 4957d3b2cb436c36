import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightOf } from './highlight.ts';

const filler = 'nothing of note happened on that day and nobody wrote to us about it ';

describe('highlightOf', () => {
  it('gives a short passage whole', () => {
    expect(highlightOf('One. Two wagons. Three.', [5, 16], new Set(['wagon']))).toBe('Two wagons.');
    expect(highlightOf('All of it.', [0, 0], new Set())).toBe('All of it.');
  });

  it('gives the part of a long one that holds the most terms', () => {
    const text = `${filler.repeat(8)}The red wagon has a flat tyre. ${filler.repeat(8)}wagon`;
    const shown = highlightOf(text, [0, text.length], new Set(['wagon', 'tyre', 'flat']));
    expect(shown).toContain('The red wagon has a flat tyre.');
    expect(shown.startsWith('… ') && shown.endsWith(' …')).toBe(true);
  });

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
