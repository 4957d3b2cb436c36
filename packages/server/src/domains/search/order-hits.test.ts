import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hit } from '../search-index/index.ts';
import {
  candidatesOf,
  fuseHitLists,
  markExact,
  placeAfterHead,
  raiseScores,
  reorderCandidates,
} from './order-hits.ts';

const hit = (id: string, score: number, outdatedBy: string | null = null): Hit => ({
  id,
  score,
  passage: [0, 0],
  outdatedBy,
  supersededBy: null,
  explanation: null,
});
const idsOf = (hits: readonly { id: string }[]): string => hits.map(({ id }) => id).join('');

/** Hits with different ids whose scores fall. */
const someHits = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { minLength: 1 }).chain((ids) =>
  fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: ids.length,
      maxLength: ids.length,
    })
    .map((scores) => {
      const falling = scores.toSorted((a, b) => b - a);
      return ids.map((id, i) => hit(id, falling[i] as number));
    }),
);

describe('fuseHitLists', () => {
  it('counts the query most, and agreeing rewrites more', () => {
    const own = { rewrite: null, hits: [hit('a', 0.5), hit('b', 0.4), hit('c', 0.3)] };
    // 1 / 11 against .7 / 11: the query decides.
    expect(idsOf(fuseHitLists([own, { rewrite: 'x', hits: [hit('d', 0.9)] }]))).toBe('abcd');
    // .7 / 11 + .7 / 11 against 1 / 11.
    const twice = ['x', 'y'].map((rewrite) => ({ rewrite, hits: [hit('d', 0.9)] }));
    expect(idsOf(fuseHitLists([own, ...twice]))).toBe('dabc');
  });

  it('names the rewrite that ranks a hit best, and only for hits that the query lacks', () => {
    const fused = fuseHitLists([
      { rewrite: null, hits: [hit('a', 0.5)] },
      { rewrite: 'x', hits: [hit('a', 0.7), hit('b', 0.2)] },
      { rewrite: 'y', hits: [hit('b', 0.1)] },
    ]);
    expect(fused).toMatchObject([
      { id: 'a', score: 0.7 },
      { id: 'b', score: 0.2, foundBy: 'y' },
    ]);
    expect(fused[0]).not.toHaveProperty('foundBy');
  });

  it('leaves the order of a query without rewrites, and has each hit once', () => {
    fc.assert(
      fc.property(someHits, someHits, (hits, others) => {
        const own = { rewrite: null, hits };
        expect(fuseHitLists([own])).toEqual(hits);
        const fused = fuseHitLists([own, { rewrite: 'x', hits: others }]);
        const ids = new Set([...hits, ...others].map(({ id }) => id));
        expect(new Set(fused.map(({ id }) => id))).toEqual(ids);
        expect(fused).toHaveLength(ids.size);
      }),
    );
  });

  it('keeps outdated hits behind what outdates them', () => {
    const own = { rewrite: null, hits: [hit('n', 0.5), hit('o', 0.4, 'n')] };
    const other = { rewrite: 'x', hits: [hit('o', 0.9, 'n'), hit('z', 0.8)] };
    expect(idsOf(fuseHitLists([own, other, { ...other, rewrite: 'y' }]))).toBe('noz');
  });

  it('keeps the order where the query itself has the older hit first', () => {
    const own = { rewrite: null, hits: [hit('o', 0.5, 'n'), hit('n', 0.4)] };
    expect(idsOf(fuseHitLists([own]))).toBe('on');
  });
});

describe('raiseScores', () => {
  it('never lowers a score, and lets none rise down the list or fall below the least', () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(scores, fc.double({ min: 0, max: 1, noNaN: true }), (some, least) => {
        const raised = raiseScores(
          some.map((score, i) => hit(String(i), score)),
          least,
        ).map(({ score }) => score);
        expect(raised).toEqual(raised.toSorted((a, b) => b - a));
        for (const [i, score] of raised.entries()) {
          expect(score).toBeGreaterThanOrEqual(Math.max(least, some[i] as number));
          expect([least, ...some]).toContain(score);
        }
      }),
    );
  });
});

describe('reorderCandidates', () => {
  const reorder = (hits: readonly Hit[], scores: Record<string, number>) =>
    reorderCandidates(hits, new Map(Object.entries(scores)));

  it('sorts the candidates among their places, with the scores of the places', () => {
    const hits = [hit('a', 0.95), hit('b', 0.5), hit('c', 0.4), hit('d', 0.1)];
    const reordered = reorder(hits, { b: 0.1, c: 0.9 });
    expect(reordered.map(({ id, score }) => [id, score])).toEqual([
      ['a', 0.95],
      ['c', 0.5],
      ['b', 0.4],
      ['d', 0.1],
    ]);
  });

  it('keeps the order of equal scores, and moves what outdates a hit up with it', () => {
    const hits = [hit('a', 0.5), hit('n', 0.4), hit('o', 0.3, 'n')];
    expect(idsOf(reorder(hits, { a: 1, n: 1, o: 1 }))).toBe('ano');
    expect(idsOf(reorder(hits, { a: 0.5, n: 0.1, o: 0.9 }))).toBe('noa');
  });

  it('keeps every hit, and the scores of the list', () => {
    const anyScores = fc.dictionary(fc.constantFrom(...'abcdefghij'), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(someHits, anyScores, (hits, scores) => {
        const present = Object.entries(scores).filter(([id]) => hits.some((one) => one.id === id));
        const reordered = reorder(hits, Object.fromEntries(present));
        expect(reordered.map(({ score }) => score)).toEqual(hits.map(({ score }) => score));
        expect(reordered.map(({ id }) => id).sort()).toEqual(hits.map(({ id }) => id).sort());
      }),
    );
  });

  it('leaves hits that repeat the query itself, not those that repeat a rewrite', () => {
    const own = markExact([hit('a', 0.9), hit('b', 0.89), hit('c', 0.1)]);
    expect(idsOf(candidatesOf(own, 2))).toBe('b');
    const other = { rewrite: 'x', hits: [hit('d', 0.95), hit('b', 0.95)] };
    const fused = raiseScores(fuseHitLists([{ rewrite: null, hits: own }, other]), 0);
    expect(idsOf(candidatesOf(fused, 4))).toBe('bcd');
  });
});

describe('placeAfterHead', () => {
  it('goes through all places that are not in the head', () => {
    const promotedPlaces = fc.uniqueArray(fc.integer({ min: 5, max: 30 }));
    fc.assert(
      fc.property(promotedPlaces, (promoted) => {
        const rest = Array.from({ length: 40 }, (_, i) => 5 + i).filter(
          (place) => !promoted.includes(place),
        );
        expect(rest.map((_, i) => placeAfterHead(5, promoted, i))).toEqual(rest);
      }),
    );
  });
});
