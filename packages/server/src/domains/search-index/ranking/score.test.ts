import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantiseVector } from '../model.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import { calibratedScore } from './score.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

const scoreOf = (contents: readonly string[], asked: string): number => {
  const index = makeIndex(contents.map((content, i) => makeRow(String(i), content)));
  return searchHits(index, makeQuery(asked)).find(({ id }) => id === '0')?.score ?? 0;
};

describe('the shown score', () => {
  it('is in 0..1 and never decreases with more shared words or similarity', () => {
    fc.assert(
      fc.property(share, share, cosine, cosine, (less, more, far, near) => {
        const lower = calibratedScore({
          coverage: Math.min(less, more),
          semantic: Math.min(far, near),
        });
        const higher = calibratedScore({
          coverage: Math.max(less, more),
          semantic: Math.max(far, near),
        });
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(higher).toBeLessThanOrEqual(1);
        expect(higher).toBeGreaterThanOrEqual(lower);
      }),
    );
  });

  it.each([
    ['the same text', { coverage: 1, semantic: 1 }, 0.99, 1],
    ['the same meaning in mostly the same words', { coverage: 0.86, semantic: 0.85 }, 0.9, 1],
    ['all words, nothing known of the meaning', { coverage: 1, semantic: 0 }, 0.5, 0.7],
    ['half of the words, another matter', { coverage: 0.5, semantic: 0.5 }, 0, 0.3],
    ['nothing in common', { coverage: 0, semantic: 0 }, 0, 0.11],
  ])('of %s is where it should be', (_, likeness, min, max) => {
    const score = calibratedScore(likeness);
    expect(score).toBeGreaterThanOrEqual(min);
    expect(score).toBeLessThanOrEqual(max);
  });

  it('of the exact text is at least .9 with a vector and without', () => {
    const content = 'The ferry to Oslo leaves at seven from the old harbour.';
    expect(scoreOf([content, 'Bread and butter.'], content)).toBeGreaterThan(0.9);
    const bytes = (...values: number[]): Uint8Array =>
      new Uint8Array(quantiseVector(Float32Array.from(values)).buffer);
    const index = makeIndex([
      makeRow('1', content, { vector: bytes(1, 0.2, 0, 0) }),
      makeRow('2', 'Bread', { vector: bytes(0, 0, 1, 0) }),
    ]);
    const [hit] = searchHits(index, makeQuery(content, { vector: Float32Array.of(1, 0.2, 0, 0) }));
    expect(hit?.score).toBeGreaterThan(0.9);
  });

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
});
