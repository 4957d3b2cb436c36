import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterCount, isStorableText, utf8Bytes } from './text.ts';

describe('lengths', () => {
  const text = fc.string({ unit: 'binary' });

  it('characterCount counts code points', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(characterCount(value)).toBe([...value].length);
      }),
    );
    expect(characterCount('👩‍💻')).toBe(3);
  });

  it('utf8Bytes counts the bytes of UTF-8', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(utf8Bytes(value)).toBe(new TextEncoder().encode(value).length);
      }),
    );
  });
});

describe('isStorableText', () => {
  it('is well-formed Unicode without U+0000', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(isStorableText(value)).toBe(!value.includes('\u0000'));
      }),
    );
    for (const half of ['\ud800', 'a\udc00', '\udc00\ud800'])
      expect(isStorableText(half)).toBe(false);
  });
});
