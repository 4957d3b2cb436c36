import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../../../test/support/cpu-time.ts';
import { runCount } from '../../../../../../test/support/run-count.ts';
import { evaluateSender, matchesPattern } from './model.ts';

/** A slow reference implementation of patterns. */
const byExpression = (pattern: string, address: string): boolean => {
  const parts = pattern.toLowerCase().split('*');
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[\\s\\S]*')}$`).test(address.toLowerCase());
};

describe('a sender pattern', () => {
  it.each([
    ['ana@example.com', 'ANA@example.com', true],
    ['*@example.com', 'ana@example.com', true],
    ['*@example.com', 'ana@example.com.evil', false],
    ['*@*.example.com', 'ana@example.com', false],
    ['a*a', 'a', false],
    ['*', '', true],
    ['ana@example.*', 'ana@example.', true],
    ['an.@example.com', 'ana@example.com', false],
  ])('%s and %s: %s', (pattern, address, expected) => {
    expect(matchesPattern(pattern, address)).toBe(expected);
  });

  it('means what a plain expression of it means', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '@', '*'), maxLength: 12 });
    const address = fc.string({ unit: fc.constantFrom('a', 'b', '.', '@'), maxLength: 12 });
    fc.assert(
      fc.property(text, address, (pattern, tried) => {
        expect(matchesPattern(pattern, tried)).toBe(byExpression(pattern, tried));
      }),
      { numRuns: runCount(500, 50_000) },
    );
  });

  it('of 10,000 characters is compared within 5 ms of processor time', () => {
    const length = 10_000;
    const cases: [string, string][] = [
      ['*a'.repeat(length / 2), 'a'.repeat(length)],
      [`*${'a'.repeat(length / 2)}b*`, 'a'.repeat(length)],
      [`${'a*'.repeat(length / 2)}b`, 'a'.repeat(length)],
      [`*${'ab'.repeat(length / 4)}c*${'ba'.repeat(length / 4)}`, 'ab'.repeat(length / 2)],
      ['*'.repeat(length), 'x'.repeat(length)],
    ];
    for (const [pattern, address] of cases) {
      expect(leastCpuMs(() => matchesPattern(pattern, address), 50)).toBeLessThan(5);
    }
  });
});

describe('of the rules that match', () => {
  const rule = (pattern: string, rule_type: 'allow' | 'block') => ({
    pattern,
    rule_type,
    reason: null,
  });

  it('the most specific holds, in any order', () => {
    const rules = [
      rule('*', 'block'),
      rule('*@example.com', 'allow'),
      rule('a@example.com', 'block'),
    ];
    for (const order of [rules, rules.toReversed()]) {
      expect(evaluateSender(order, 'a@example.com').allowed).toBe(false);
      expect(evaluateSender(order, 'b@example.com').allowed).toBe(true);
      expect(evaluateSender(order, 'b@other.example').allowed).toBe(false);
    }
  });

  it('block wins a tie', () => {
    const rules = [rule('a*@example.com', 'allow'), rule('*a@example.com', 'block')];
    expect(evaluateSender(rules, 'aa@example.com').allowed).toBe(false);
    expect(evaluateSender(rules.toReversed(), 'aa@example.com').allowed).toBe(false);
  });

  it('an exact one is more specific than any wildcard, however long', () => {
    const rules = [rule('ana@example.com*', 'block'), rule('ana@example.com', 'allow')];
    expect(evaluateSender(rules, 'ana@example.com').allowed).toBe(true);
  });
});
