import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantiseVector } from '../model.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import { toLogOdds, toScore } from './score.ts';

const scoreOf = (contents: readonly string[], query: string): number => {
  const index = makeIndex(contents.map((content, i) => makeRow(String(i), content)));
  return searchHits(index, makeQuery(query)).find(({ id }) => id === '0')?.score ?? 0;
};

const bytes = (...values: number[]): Uint8Array =>
  new Uint8Array(quantiseVector(Float32Array.from(values)).buffer);

describe('the shown score', () => {
  it('is the probability of its log-odds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), (score) => {
        expect(toScore(toLogOdds(score))).toBeCloseTo(score, 9);
      }),
    );
    expect([toLogOdds(0), toLogOdds(1)]).toEqual([-Infinity, Infinity]);
  });

  it('is the sum of the contributions', () => {
    const rows = [
      makeRow('1', 'The ferry to Oslo leaves at seven.', {
        priority: 8,
        vector: bytes(1, 0, 0, 0),
      }),
      makeRow('2', 'Bread and butter.', { vector: bytes(0, 1, 0, 0) }),
    ];
    const query = makeQuery('ferry to Oslo', { vector: Float32Array.of(0.9, 0.3, 0, 0) });
    for (const { score, explanation } of searchHits(makeIndex(rows), query)) {
      const sum = Object.values(explanation?.features ?? {}).reduce((all, value) => all + value, 0);
      expect(score).toBeCloseTo(toScore(sum), 9);
    }
  });

  it.each(['sentence', 'word', 'keyword'] as const)(
    'of the exact text is at least .9, computed by the %s ranker',
    (ranker) => {
      const content = 'The ferry to Oslo leaves at seven from the old harbour.';
      const vector = ranker === 'keyword' ? null : Float32Array.of(1, 0.2, 0, 0);
      const turn = { session_id: 's', session_ordinal: 1 };
      for (const extra of [{}, turn]) {
        const index = makeIndex([
          makeRow('1', content, { vector: bytes(1, 0.2, 0, 0), ...extra }),
          makeRow('2', 'Bread', { vector: bytes(0, 0, 1, 0) }),
        ]);
        const [hit] = searchHits(index, makeQuery(content, { vector, ranker }));
        expect(hit?.id).toBe('1');
        expect(hit?.score).toBeGreaterThan(0.9);
      }
    },
  );

  it('of a passage of a long text is that of the passage', () => {
    const filler = 'Nothing of note was said about the weather. '.repeat(60);
    const passage = 'The invoice of March for the new boiler is unpaid.';
    expect(scoreOf([`${filler}${passage} ${filler}`], passage)).toBeGreaterThan(0.9);
    expect(scoreOf([filler], passage)).toBeLessThan(0.5);
  });

  it('of half of the words is low', () => {
    expect(scoreOf(['The mirror broke in Genoa.'], 'A mirror of the harbour city')).toBeLessThan(
      0.5,
    );
  });

  it('differs between different memories', () => {
    const contents = ['A red kayak.', 'The kayak is red and long.', 'Kayak, red.', 'A red canoe.'];
    const index = makeIndex(contents.map((content, i) => makeRow(String(i), content)));
    const scores = searchHits(index, makeQuery('long red kayak')).map(({ score }) => score);
    expect(new Set(scores.slice(0, 2)).size).toBe(2);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});
