import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTurn, injectedContextMarkers, wrapInjectedContext } from './index.ts';

const secret = `${'ghp_'}q7Zt4mKd9XvB2nLs8RfW3hYc6TgJ1pEa5UoD`;

describe('a turn that is stored', () => {
  it('has no injected context and no secrets', () => {
    const text = `${wrapInjectedContext(`a ${secret}`)}\n\nDeploy with ${secret}!\u0000`;
    expect(cleanTurn(text)).toEqual({
      text: 'Deploy with [redacted: api_key]!',
      counts: { api_key: 1 },
    });
    expect(cleanTurn(wrapInjectedContext('only memories'))).toEqual({ text: '', counts: {} });
  });

  it('has at most 20,000 characters, and no part of a secret at its end', () => {
    const { text } = cleanTurn(`${'word '.repeat(3_995)} ${secret} ${'word '.repeat(3_000)}`);
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text).toMatch(/word( \[redacted: api_key\])?.*…$/);
    expect(text).not.toContain('ghp_');
  });

  it('fits into any number of bytes and is well-formed', () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 100 }), (text, bytesMax) => {
        const cleaned = cleanTurn(text, bytesMax).text;
        expect(new TextEncoder().encode(cleaned).length).toBeLessThanOrEqual(bytesMax);
        expect(cleaned.isWellFormed()).toBe(true);
        expect(cleaned).not.toContain('\u0000');
      }),
    );
  });
});

describe('a wrapped context', () => {
  it('ends where it ends, whatever a memory says', () => {
    const { start, end } = injectedContextMarkers;
    const piece = fc.oneof(fc.constantFrom(start, end, '<mneme-', 'context>', 'a'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const wrapped = wrapInjectedContext(pieces.join(''));
        expect(wrapped.split(start)).toHaveLength(2);
        expect(wrapped.split(end)).toHaveLength(2);
        expect(cleanTurn(`${wrapped}\nHello`).text).toBe('Hello');
      }),
    );
  });
});
