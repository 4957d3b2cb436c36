import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitText } from './split-text.ts';

describe('a text in parts', () => {
  test('has all its words, in order, and no part is too large', () => {
    const words = fc.array(fc.constantFrom('tea', 'Zürich', '🍵', 'a.', 'long'.repeat(3), '\n\n'));
    fc.assert(
      fc.property(words, fc.integer({ min: 60, max: 200 }), (list, bytesMax) => {
        const text = list.join(' ');
        const parts = splitText(text, bytesMax);
        for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(bytesMax);
        const wordsOf = (one: string): string[] => one.split(/\s+/).filter((word) => word !== '');
        expect(parts.flatMap(wordsOf)).toEqual(wordsOf(text));
      }),
    );
  });

  test('is split after a paragraph, else a sentence, else between characters', () => {
    const paragraphs = `${'a'.repeat(30)}\n\n${'b'.repeat(10)} c. ${'d'.repeat(30)}`;
    expect(splitText(paragraphs, 50)[0]).toBe('a'.repeat(30));
    expect(splitText(`${'a'.repeat(30)}. ${'b'.repeat(30)}`, 40)[0]).toBe(`${'a'.repeat(30)}.`);
    expect(splitText('🍵'.repeat(20), 10).every((part) => part === '🍵🍵')).toBe(true);
  });
});
