import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { injectedContextMarkers, stripInjectedContext } from './index.ts';

const { start, end } = injectedContextMarkers;

describe('injected context', () => {
  it.each([
    [`${start}\nmemories\n${end}\nHello`, 'Hello'],
    [`Hello ${start}a${end} and ${start}b${end} bye`, 'Hello and bye'],
    [`${start}a ${start} b${end} c${end}`, 'c'],
    [`What is ${start}?`, 'What is ?'],
    [`<mneme-${start}context>x${end}`, '<mneme-'],
    [`<mneme-${start}x${end}context>`, '<mneme- context>'],
    ['no context', 'no context'],
  ])('of %j leaves %j', (text, expected) => {
    expect(stripInjectedContext(text)).toBe(expected);
  });

  it('is removed completely from any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(start, end, '<mneme-', 'context>', '<', '/'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const stripped = stripInjectedContext(pieces.join(''));
        expect(stripped).not.toContain(start);
        expect(stripped).not.toContain(end);
        expect(stripInjectedContext(stripped)).toBe(stripped);
      }),
    );
  });
});
