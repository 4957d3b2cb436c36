import { extractTerms, termProbability } from '@mneme/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantiseVector } from '../model.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import { topDocuments } from './order.ts';

const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'glass'];
const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 });

/** Textbook BM25, k1 = 1.2, b = .7, over whole short texts and a prior of 300 English texts. */
function plainBm25(documents: readonly (readonly string[])[], terms: readonly string[]): number[] {
  const mean = documents.reduce((sum, one) => sum + one.length, 0) / documents.length;
  return documents.map((document) => {
    let score = 0;
    for (const term of new Set(terms)) {
      const df = documents.filter((one) => one.includes(term)).length;
      const tf = document.filter((word) => word === term).length;
      const [all, holding] = [documents.length + 300, df + 300 * termProbability(term)];
      const idf = Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
      score += (idf * tf * 2.2) / (tf + 1.2 * (0.3 + (0.7 * document.length) / mean));
    }
    return score;
  });
}

describe('a search', () => {
  it('scores words of short documents on their own exactly as plain BM25', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 12 }), content, (texts, asked) => {
        const index = makeIndex(texts.map((text, i) => makeRow(String(i), text.join(' '))));
        const found = new Map(
          searchHits(index, makeQuery(asked.join(' '))).map(({ id, explanation }) => [
            id,
            explanation?.keywordScore,
          ]),
        );
        const stems = texts.map((text) => extractTerms(text.join(' ')).words);
        const expected = plainBm25(stems, extractTerms(asked.join(' ')).words);
        for (const [i, score] of expected.entries()) {
          expect(found.get(String(i)) ?? 0).toBeCloseTo(score, 5);
        }
      }),
    );
  });

  it('uses statistics of the scope only', () => {
    const visible = [makeRow('1', 'apple river'), makeRow('2', 'stone')];
    const secret = [makeRow('3', 'apple apple'), makeRow('4', 'apple cloud paper')].map((one) => ({
      ...one,
      space_id: 'secret',
    }));
    const asked = makeQuery('apple', { spaces: [null] });
    const scores = searchHits(makeIndex([...visible, ...secret]), asked).map(({ id, score }) => [
      id,
      score,
    ]);
    expect(scores).toEqual(
      searchHits(makeIndex(visible), asked).map(({ id, score }) => [id, score]),
    );
    expect(scores.map(([id]) => id)).toEqual(['1']);
  });

  it('excludes what an exclusion names', () => {
    const index = makeIndex([
      makeRow('1', 'apple river'),
      makeRow('2', 'apple stone'),
      makeRow('3', 'apple'),
    ]);
    const ids = (excluded: string[][]): string[] =>
      searchHits(index, makeQuery('apple', { excludedTerms: excluded }))
        .map(({ id }) => id)
        .toSorted();
    expect(ids([extractTerms('river').words])).toEqual(['2', '3']);
    expect(ids([['river', 'stone']])).toEqual(['1', '2', '3']);
    expect(ids([extractTerms('glass').words])).toEqual(['1', '2', '3']);
  });

  it('finds by similarity without a common word, and not below the minimum', () => {
    const bytes = (...values: number[]): Uint8Array =>
      new Uint8Array(quantiseVector(Float32Array.from(values)).buffer);
    const index = makeIndex([
      makeRow('1', 'river', { vector: bytes(1, 0.1, 0, 0) }),
      makeRow('2', 'stone', { vector: bytes(0, 0, 1, 0) }),
    ]);
    const hits = searchHits(index, makeQuery('paper', { vector: Float32Array.of(1, 0, 0, 0) }));
    expect(hits.map(({ id }) => id)).toEqual(['1']);
  });

  it('finds a long document by one passage, and returns its range', () => {
    const filler = 'Nothing of note was said about the weather. '.repeat(60);
    const text = `${filler}The invoice of March is unpaid. ${filler}`;
    const index = makeIndex([makeRow('1', text), makeRow('2', filler)]);
    const [hit, ...others] = searchHits(index, makeQuery('unpaid invoice'));
    expect([hit?.id, others]).toEqual(['1', []]);
    expect(text.slice(...(hit?.passage ?? [0, 0]))).toContain('The invoice of March is unpaid.');
  });

  it('finds a turn by its neighbours, only in the same space', () => {
    const turn = (id: string, ordinal: number, text: string, space: string | null = null) =>
      makeRow(id, text, { session_id: 's', session_ordinal: ordinal, space_id: space });
    const index = makeIndex([
      turn('1', 1, 'Which river did you swim in?'),
      turn('2', 2, 'In the Danube.'),
      turn('3', 3, 'Elsewhere.', 'other'),
    ]);
    const ids = searchHits(index, makeQuery('river')).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['1', '2']);
  });

  it('corrects a misspelt word', () => {
    const index = makeIndex([makeRow('1', 'a red wagon'), makeRow('2', 'a river')]);
    for (const text of ['wagn', 'wgaon', 'wagonn', 'wagin']) {
      expect(searchHits(index, makeQuery(text)).map(({ id }) => id)).toEqual(['1']);
    }
    expect(searchHits(index, makeQuery('wgn'))).toEqual([]);
    expect(searchHits(index, makeQuery('wagonn wages'), 1)[0]?.explanation?.matchedTerms).toEqual([
      'wagon',
    ]);
    expect(searchHits(index, makeQuery('livers rivets'))).toEqual([]);
  });

  it('corrects it only to visible words, whatever is more frequent elsewhere', () => {
    const secret = ['pagin', 'ragin', 'fagin', 'wagit', 'wagix', 'magin'].flatMap((word) =>
      ['a', 'b'].map((copy) => makeRow(`${word}${copy}`, word, { space_id: 'secret' })),
    );
    const index = makeIndex([makeRow('1', 'a red wagon'), ...secret]);
    expect(searchHits(index, makeQuery('wagin', { spaces: [null] })).map(({ id }) => id)).toEqual([
      '1',
    ]);
  });

  it('returns scores in 0..1 that never increase down the list', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 40 }), content, (texts, asked) => {
        const index = makeIndex(texts.map((text, i) => makeRow(String(i), text.join(' '))));
        const scores = searchHits(index, makeQuery(asked.join(' '))).map(({ score }) => score);
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it('returns the best first, like a full sort', () => {
    const orders = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(orders, fc.integer({ min: 1, max: 70 }), (values, most) => {
        const rows = values.map((_, i) =>
          makeRow(String(i).padStart(3, '0'), 'x', { created_at: new Date(i % 3) }),
        );
        const index = makeIndex(rows);
        const ranking = {
          documents: Int32Array.from(values, (_, i) => i),
          sortValues: Float64Array.from(values),
        };
        const sorted = values
          .map((order, i) => ({ order, i }))
          .sort((a, b) => b.order - a.order || (b.i % 3) - (a.i % 3) || b.i - a.i);
        expect([...topDocuments(index, ranking, most)]).toEqual(
          sorted.slice(0, most).map(({ i }) => i),
        );
      }),
    );
  });
});
