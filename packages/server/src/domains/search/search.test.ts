import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../index/index.ts';
import { parseQuery, plainNumber } from './query.ts';
import { carryUp, rank } from './rank.ts';

describe('parseQuery', () => {
  it.each([
    ['red tea', { text: 'red tea', phrases: [], excluded: [] }],
    ['"red tea" cup', { text: 'red tea  cup', phrases: ['red tea'], excluded: [] }],
    ['tea -coffee', { text: 'tea', phrases: [], excluded: [['coffe']] }],
    ['tea -"black coffee"', { text: 'tea', excluded: [], excludedPhrases: ['black coffee'] }],
    ['well-known e-mail', { text: 'well-known e-mail', phrases: [], excluded: [] }],
    ['- lonely', { text: '- lonely', phrases: [], excluded: [] }],
    ['"unclosed', { text: '"unclosed', phrases: [], excluded: [] }],
  ])('reads %s', (q, expected) => {
    expect(parseQuery(q)).toMatchObject(expected);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (q) => {
        expect(parseQuery(q).terms.every((term) => term.length > 0)).toBe(true);
      }),
    );
  });
});

describe('plainNumber', () => {
  it('writes any number without an exponent, and the same one', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(plainNumber(value)).toMatch(/^-?\d+(?:\.\d+)?$/);
        expect(Number(plainNumber(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const candidate: fc.Arbitrary<Candidate> = fc
  .record({
    keyword: fc.double({ min: 0, max: 20, noNaN: true }),
    semantic: fc.double({ min: -1, max: 1, noNaN: true }),
    coverage: share,
    covered: share,
    priority: fc.integer({ min: 0, max: 10 }),
    salience: fc.option(share),
    length: fc.integer({ min: 0, max: 500 }),
    id: fc.uuid(),
  })
  .map(({ priority, salience, length, id, ...rest }) => ({
    ...rest,
    matched: [],
    document: {
      id,
      spaceId: null,
      sessionId: null,
      contentType: 'text',
      tags: new Set<string>(),
      priority,
      salience,
      salienceAt: 0,
      pinned: false,
      occurredAt: 0,
      createdAt: 0,
      length,
      terms: new Int32Array(),
    },
  }));
const candidates = fc.uniqueArray(candidate, { selector: ({ document }) => document.id });
const input = (all: Candidate[]) => ({
  candidates: all,
  queryMass: 10,
  salienceOf: ({ document }: Candidate) => document.salience,
});

describe('rank', () => {
  it('orders the same candidates the same way, however they come', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const ids = (list: Candidate[]) =>
          rank(input(list)).map((one) => one.candidate.document.id);
        expect(ids(all.toReversed())).toEqual(ids(all));
      }),
    );
  });

  it('boosts by priority and salience together by at most 15 %', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        for (const { priorityBoost, salienceBoost } of rank(input(all))) {
          expect(priorityBoost * salienceBoost).toBeGreaterThanOrEqual(1);
          expect(priorityBoost * salienceBoost).toBeLessThanOrEqual(1.15);
        }
      }),
    );
  });

  it('never puts a memory lower for being nearer, all else equal', () => {
    fc.assert(
      fc.property(candidate, share, (one, more) => {
        const nearer = { ...one, semantic: Math.min(1, Math.max(0, one.semantic) + more) };
        const [before, after] = [rank(input([one]))[0], rank(input([nearer]))[0]];
        expect(after?.order ?? 0).toBeGreaterThanOrEqual(before?.order ?? 0);
        expect(after?.score ?? 0).toBeGreaterThanOrEqual(before?.score ?? 0);
      }),
    );
  });

  it('shows scores in 0..1 that never rise down the list', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const scores = carryUp(rank(input(all)));
        for (const [i, score] of scores.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          if (i > 0) expect(score).toBeLessThanOrEqual(scores[i - 1] ?? 1);
        }
      }),
    );
  });
});
