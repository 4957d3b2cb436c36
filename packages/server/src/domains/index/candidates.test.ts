import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from '../../text/terms.ts';
import { AccountIndex, type DocumentRow } from './account-index.ts';
import { type CandidateQuery, findCandidates } from './candidates.ts';
import { analyse, quantise } from './model.ts';

const row = (id: string, content: string, extra: Partial<DocumentRow> = {}): DocumentRow => ({
  id,
  kind: 'memory',
  space_id: null,
  session_id: null,
  content_type: 'text',
  tags: [],
  priority: 0,
  salience: null,
  salience_at: null,
  pinned: false,
  occurred_at: null,
  created_at: new Date(0),
  terms: analyse(content),
  vector: null,
  ...extra,
});

const query = (text: string, extra: Partial<CandidateQuery> = {}): CandidateQuery => ({
  terms: termsOf(text).words,
  excluded: [],
  required: [],
  vector: null,
  inScope: () => true,
  passes: () => true,
  ...extra,
});

function indexOf(rows: readonly DocumentRow[]): AccountIndex {
  const index = new AccountIndex(4);
  for (const one of rows) index.apply(one);
  return index;
}

const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'glass'];
const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 });

/** BM25 as it is in the books, k1 = 1.2, b = .7, over whole short documents. */
function plainBm25(documents: readonly (readonly string[])[], terms: readonly string[]): number[] {
  const mean = documents.reduce((sum, one) => sum + one.length, 0) / documents.length;
  return documents.map((document) => {
    let score = 0;
    for (const term of new Set(terms)) {
      const df = documents.filter((one) => one.includes(term)).length;
      const tf = document.filter((word) => word === term).length;
      const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
      score += (idf * tf * 2.2) / (tf + 1.2 * (0.3 + (0.7 * document.length) / mean));
    }
    return score;
  });
}

describe('findCandidates', () => {
  it('scores short documents exactly as plain BM25', () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 12 }), content, (texts, asked) => {
        const index = indexOf(texts.map((text, i) => row(String(i), text.join(' '))));
        const { candidates } = findCandidates(index, query(asked.join(' ')));
        const stems = texts.map((text) => termsOf(text.join(' ')).words);
        const expected = plainBm25(stems, termsOf(asked.join(' ')).words);
        const found = new Map(candidates.map((one) => [one.document.id, one.keyword]));
        for (const [i, score] of expected.entries()) {
          expect(found.get(String(i)) ?? 0).toBeCloseTo(score, 8);
        }
      }),
    );
  });

  it('is the same whatever was added, changed and removed before', () => {
    const change = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      text: fc.option(content, { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), content, (changes, asked) => {
        const last = new Map<string, DocumentRow>();
        const lived = new AccountIndex(4);
        for (const { id, text } of changes) {
          const one = row(id, text?.join(' ') ?? '', text ? {} : { terms: null });
          lived.apply(one);
          if (text) last.set(id, one);
          else last.delete(id);
        }
        const result = (index: AccountIndex) =>
          findCandidates(index, query(asked.join(' ')))
            .candidates.map(({ document, keyword, coverage, covered }) =>
              [document.id, keyword.toFixed(9), coverage.toFixed(9), covered.toFixed(9)].join(),
            )
            .toSorted();
        expect(result(lived)).toEqual(result(indexOf([...last.values()])));
        expect(lived.liveCount).toBe(last.size);
      }),
    );
  });

  it('takes its statistics from the scope alone', () => {
    const visible = [row('1', 'apple river'), row('2', 'stone')];
    const hidden = [row('3', 'apple apple'), row('4', 'apple cloud paper')].map((one) => ({
      ...one,
      space_id: 'secret',
    }));
    const scoped = query('apple', { inScope: ({ spaceId }) => spaceId === null });
    expect(findCandidates(indexOf([...visible, ...hidden]), scoped)).toMatchObject({
      queryMass: findCandidates(indexOf(visible), query('apple')).queryMass,
    });
  });

  it('keeps out what an exclusion names, and what lacks a required term', () => {
    const index = indexOf([row('1', 'apple river'), row('2', 'apple stone'), row('3', 'apple')]);
    const ids = (extra: Partial<CandidateQuery>): string[] =>
      findCandidates(index, query('apple', extra)).candidates.map(({ document }) => document.id);
    expect(ids({ excluded: [termsOf('river').words] })).toEqual(['2', '3']);
    expect(ids({ required: termsOf('stone').words })).toEqual(['2']);
    expect(ids({ excluded: [termsOf('glass').words] })).toEqual(['1', '2', '3']);
  });

  it('finds by nearness without a common word, and not below the least nearness', () => {
    const near = Buffer.from(quantise(Float32Array.of(1, 0.1, 0, 0)).buffer);
    const far = Buffer.from(quantise(Float32Array.of(0, 0, 1, 0)).buffer);
    const index = indexOf([
      row('1', 'river', { vector: near }),
      row('2', 'stone', { vector: far }),
    ]);
    const { candidates } = findCandidates(
      index,
      query('paper', { vector: Float32Array.of(1, 0, 0, 0) }),
    );
    expect(candidates.map(({ document }) => document.id)).toEqual(['1']);
    expect(candidates[0]?.semantic).toBeCloseTo(0.995, 2);
  });

  it('finds a long document by what one passage says', () => {
    const filler = 'Nothing of note was said about the weather. '.repeat(60);
    const index = indexOf([
      row('1', `${filler}The invoice of March is unpaid. ${filler}`),
      row('2', filler),
    ]);
    const { candidates } = findCandidates(index, query('unpaid invoice'));
    expect(candidates.map(({ document }) => document.id)).toEqual(['1']);
  });
});
