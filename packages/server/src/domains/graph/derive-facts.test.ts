import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import { type Assertion, type DerivedFact, deriveFacts } from './derive-facts.ts';
import { factKey } from './fact-versions.ts';

let made = 0;
function said(object: string, times: Partial<Assertion> = {}): Assertion {
  made += 1;
  const id = `a${String(made).padStart(4, '0')}`;
  return { id, object, confidence: 0.5, validFrom: null, validTo: null, observedAt: 0, ...times };
}

const shown = (facts: readonly DerivedFact[]) =>
  facts.map(({ object, validFrom, validTo }) => [object, validFrom, validTo]);

describe('facts of a single-valued predicate', () => {
  it('end where the next one of another object starts', () => {
    const facts = deriveFacts(
      [said('Acme', { validFrom: 10 }), said('Bolt', { validFrom: 20 })],
      true,
    );
    expect(shown(facts)).toEqual([
      ['Acme', 10, 20],
      ['Bolt', 20, null],
    ]);
  });

  it('end when the next one was observed, if no start is stated', () => {
    const facts = deriveFacts(
      [said('Acme', { observedAt: 10 }), said('Bolt', { observedAt: 30 })],
      true,
    );
    expect(shown(facts)).toEqual([
      ['Acme', null, 30],
      ['Bolt', 30, null],
    ]);
  });

  it('are ordered correctly when they become known late', () => {
    const late = said('Acme', { validFrom: 10, observedAt: 99 });
    const facts = deriveFacts([said('Bolt', { validFrom: 20, observedAt: 50 }), late], true);
    expect(shown(facts)).toEqual([
      ['Acme', 10, 20],
      ['Bolt', 20, null],
    ]);
  });

  it('may return: a second time at the same employer is a second fact', () => {
    const facts = deriveFacts(
      [
        said('Acme', { validFrom: 10 }),
        said('Bolt', { validFrom: 20 }),
        said('Acme', { validFrom: 30 }),
      ],
      true,
    );
    expect(shown(facts)).toEqual([
      ['Acme', 10, 20],
      ['Bolt', 20, 30],
      ['Acme', 30, null],
    ]);
  });

  it('end by an assertion with only an end', () => {
    const facts = deriveFacts(
      [said('Acme', { observedAt: 10 }), said('Acme', { validTo: 40, observedAt: 50 })],
      true,
    );
    expect(shown(facts)).toEqual([['Acme', null, 40]]);
    expect(facts[0]?.sources).toHaveLength(2);
  });
});

describe('facts of a predicate with many values', () => {
  it('do not end each other', () => {
    const facts = deriveFacts(
      [said('Go', { validFrom: 10 }), said('Rust', { validFrom: 20 })],
      false,
    );
    expect(shown(facts)).toEqual([
      ['Go', 10, null],
      ['Rust', 20, null],
    ]);
  });
});

describe('several sources', () => {
  it('support one fact with a higher confidence than each', () => {
    const [fact, ...others] = deriveFacts([said('Acme'), said('Acme')], true);
    expect(others).toEqual([]);
    expect(fact?.confidence).toBeCloseTo(0.75);
  });
});

const time = fc.integer({ min: 0, max: 40 });
const assertion = fc
  .record({
    object: fc.constantFrom('a', 'b', 'c'),
    confidence: fc.double({ min: 0.1, max: 1, noNaN: true }),
    from: fc.option(time),
    length: fc.option(fc.integer({ min: 1, max: 20 })),
    observedAt: time,
  })
  .map(({ object, confidence, from, length, observedAt }) =>
    said(object, {
      confidence,
      observedAt,
      validFrom: from,
      validTo: length === null ? null : (from ?? observedAt) + length,
    }),
  );
const assertions = fc.array(assertion, { maxLength: 12 });

describe('any assertions', () => {
  it('derive the same facts in any order', () => {
    fc.assert(
      fc.property(assertions, fc.boolean(), fc.infiniteStream(fc.nat()), (list, single, chance) => {
        const shuffled = list
          .map((one) => ({ one, at: chance.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(deriveFacts(shuffled, single)).toEqual(deriveFacts(list, single));
      }),
    );
  });

  it('are each the source of exactly one fact', () => {
    fc.assert(
      fc.property(assertions, fc.boolean(), (list, single) => {
        const sources = deriveFacts(list, single).flatMap((fact) => fact.sources);
        expect(sources.toSorted()).toEqual(list.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('derive no fact twice', () => {
    fc.assert(
      fc.property(assertions, fc.boolean(), (list, single) => {
        const facts = deriveFacts(list, single).map(factKey);
        expect(new Set(facts).size).toBe(facts.length);
      }),
      { numRuns: runCount(300, 20_000) },
    );
  });

  it('leave at most one fact that holds at a time, of a single-valued predicate', () => {
    fc.assert(
      fc.property(assertions, time, (list, at) => {
        const holding = deriveFacts(list, true).filter(
          ({ validFrom, validTo }) => (validFrom ?? -Infinity) <= at && at < (validTo ?? Infinity),
        );
        expect(holding.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
