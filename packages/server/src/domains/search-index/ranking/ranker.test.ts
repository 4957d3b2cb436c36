import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountIndex } from '../account/account-index.ts';
import type { DocumentRow } from '../account/document-row.ts';
import { analyseText, parseTextAnalysis } from '../analysis.ts';
import { quantiseVector } from '../model.ts';
import { passageVectorCount } from '../passage-vectors.ts';
import { makeIndex, makeQuery, makeRow } from '../testing.ts';
import { SearchBuffers } from './buffers.ts';
import { limitedFeatures } from './evidence-limits.ts';
import type { RankingInput } from './order.ts';
import type { IndexQuery } from './query.ts';
import { createQueryContext, forEachVisible } from './query-context.ts';
import { Scorer } from './score.ts';
import { type HitPage, Search } from './search.ts';
import { featureNames, rankers } from './weights.ts';

const day = 86_400_000;
const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'glass', 'winter', 'Anna'];
const writtenOn = new Date(100 * day);

/** Deterministic texts of some words; each eighth is long. */
const texts = Array.from({ length: 40 }, (_, i) => {
  const at = (n: number): string => words[(i * 7 + n * (1 + (i % 3))) % words.length] ?? '';
  const sentence = `${at(0)} ${at(1)} ${at(2 + (i % 4))}${i % 5 === 0 ? ' in May 1970?' : '.'}`;
  const rest = Array.from({ length: 60 }, (_, n) => `The ${at(n)} was near the ${at(n + 3)}.`);
  const text = i % 8 === 0 ? [sentence, ...rest].join(' ') : sentence;
  return { text, terms: analyseText(text, writtenOn) };
});

const numbersIn = (from: number, to: number) => fc.integer({ min: from, max: to });
const vector = fc.array(numbersIn(-9, 9), { minLength: 4, maxLength: 4 });
const toBytes = (values: readonly number[]): Uint8Array =>
  new Uint8Array(quantiseVector(Float32Array.from(values, (value) => value / 9)).buffer);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const ids = fc.array(numbersIn(0, 89).map(String), { maxLength: 2 });
const rarely = <T>(value: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value });

interface Draft {
  readonly text: number;
  readonly vector: readonly number[] | null;
  readonly session: number | null;
  readonly row: Partial<DocumentRow>;
}

const draft: fc.Arbitrary<Draft> = fc.record({
  text: numbersIn(0, texts.length - 1),
  vector: fc.option(vector, { freq: 9 }),
  session: fc.option(numbersIn(0, 3)),
  row: fc.record({
    space_id: fc.constantFrom(null, 's', 't'),
    user_id: fc.constantFrom(null, 'u', 'v', 'w'),
    speaker: fc.constantFrom(null, 'Anna', 'Ben'),
    role: fc.constantFrom(null, 'user'),
    tags: fc.constantFrom<readonly string[]>([], [], ['a'], ['b'], ['a', 'b']),
    priority: numbersIn(0, 10),
    salience: fc.constantFrom(null, 0.3, 1),
    pinned: fc.boolean(),
    occurred_at: fc.constantFrom(null, new Date(50 * day), new Date(140 * day)),
    created_at: numbersIn(90, 110).map((days) => new Date(days * day)),
    superseded_by: rarely(ids, []),
    likely_superseded_by: rarely(ids, []),
    facts_ended_at: rarely<Date | null>(fc.constant(new Date(105 * day)), null),
    facts_ended_by: rarely(ids, []),
  }),
});

const toRow = ({ text, vector: values, session, row }: Draft, i: number): DocumentRow => {
  const { terms } = texts[text] as (typeof texts)[number];
  const count = passageVectorCount(parseTextAnalysis(terms).passages.length);
  const bytes = values && toBytes(values);
  return makeRow(String(i), '', {
    ...row,
    terms,
    vector: bytes,
    session_id: session === null ? null : String(session),
    session_ordinal: session === null ? null : i,
    passages: bytes && count > 0 ? toBytes(Array(count).fill(values).flat()) : null,
  });
};

const account = fc.record({
  drafts: fc.array(draft, { minLength: 20, maxLength: 90 }),
  changed: fc.array(fc.tuple(numbersIn(0, 89), draft), { maxLength: 5 }),
  removed: fc.array(numbersIn(0, 89), { maxLength: 3 }),
});

const build = ({
  drafts,
  changed,
  removed,
}: typeof account extends fc.Arbitrary<infer T> ? T : never): AccountIndex => {
  const index = makeIndex(drafts.map(toRow));
  for (const [i, one] of changed) index.apply(toRow(one, i));
  for (const i of removed) index.apply({ ...makeRow(String(i), ''), terms: null });
  return index;
};

const query: fc.Arbitrary<IndexQuery> = fc
  .record({
    asked: fc.array(fc.constantFrom(...words, 'rivers', 'claud', 'of'), { maxLength: 4 }),
    vector: fc.option(vector.map((values) => Float32Array.from(values, (value) => value / 9))),
    ranker: fc.constantFrom('sentence', 'word'),
    threshold: fc.constantFrom(0, 0, 0.02, 0.3),
    spaces: fc.constantFrom(null, null, ['s'], [null, 't']),
    visibleUser: fc.constantFrom(null, null, 'u'),
    dropsSuperseded: fc.boolean(),
    keywordOnly: rarely(fc.boolean(), false),
    asOf: rarely<number | undefined>(fc.constant(95 * day), undefined),
    excludedTerms: rarely<string[][]>(fc.constant([['stone']]), []),
    fragments: rarely<string[]>(fc.constant(['appl']), []),
    phraseMatches: rarely<string[] | null>(ids, null),
    preferredMatches: rarely(ids, []),
    factSupport: rarely(
      ids.map((all) => new Map(all.map((id) => [id, 0.5]))),
      new Map(),
    ),
    intent: fc.record({
      names: fc.constantFrom([], ['anna']),
      isAboutSelf: fc.boolean(),
      asksWhen: fc.boolean(),
      isAboutPast: rarely(fc.boolean(), false),
      pastPeriodEnd: rarely<number | null>(fc.constant(96 * day), null),
      isLookup: fc.boolean(),
      times: fc.constantFrom([], [], [{ from: 120 * day, to: 150 * day, isYear: false }]),
    }),
    filters: fc.record({
      tags: maybe(fc.constantFrom(['a'], ['a', 'b'], ['c'])),
      tagsAny: maybe(fc.constantFrom(['a', 'b'], ['c'])),
      owner: maybe(fc.constantFrom({ user_id: 'v' }, { user_id: null })),
      minPriority: maybe(numbersIn(0, 10)),
      includedIds: rarely<string[] | undefined>(fc.array(numbersIn(0, 89).map(String)), undefined),
      excludedIds: maybe(ids),
    }),
  })
  .map(({ asked, filters, ...rest }) =>
    makeQuery(asked.join(' '), { ...rest, filters, now: 200 * day }),
  );

const withSearch = <T>(
  index: AccountIndex,
  asked: IndexQuery,
  run: (search: Search) => T,
  evaluatesAll = true,
): T => run(new Search(index, buffersInUse(), asked, evaluatesAll));

/** Buffers have similarities of earlier searches. */
function buffersInUse(): SearchBuffers {
  const buffers = new SearchBuffers();
  buffers.ensureCapacity(100, 0, 0);
  buffers.semantic.fill(0.9);
  return buffers;
}

const page = (offset: number, limit: number) => ({ offset, limit, explain: true });

/** Pages from an order of all places, and from one of as many places as each needs. */
function pagesOf(index: AccountIndex, asked: IndexQuery, limit: number) {
  const full = withSearch(index, asked, (search) => search.rank());
  let kept: RankingInput | undefined;
  const exact: HitPage[] = [];
  const limited: HitPage[] = [];
  for (const offset of [0, limit, 3 * limit]) {
    exact.push(withSearch(index, asked, (search) => search.page(full, page(offset, limit))));
    const pageFrom = (search: Search): HitPage => {
      const places = offset + limit;
      kept = kept ? search.extend(kept, places) : search.rank(places);
      return search.page(kept, page(offset, limit));
    };
    limited.push(withSearch(index, asked, pageFrom, offset > 0));
  }
  return { exact, limited };
}

describe('a ranking of the first places', () => {
  it('is that of a full evaluation, page by page', () => {
    fc.assert(
      fc.property(account, query, numbersIn(1, 12), (drafted, asked, limit) => {
        const { exact, limited } = pagesOf(build(drafted), asked, limit);
        expect(limited).toEqual(exact);
      }),
    );
  });

  it('evaluates few documents, and none below its limit', () => {
    fc.assert(
      fc.property(account, query, (drafted, asked) => {
        const index = build(drafted);
        const context = createQueryContext(index, new SearchBuffers(), asked);
        const scorer = new Scorer(context);
        const visible: number[] = [];
        forEachVisible(index, context.scope, (document) => visible.push(document));
        const limits = new Float64Array(visible.length);
        scorer.fillEvidenceLimits(Int32Array.from(visible), limits);
        for (const [i, document] of visible.entries()) {
          expect(scorer.evidence(document)).toBeLessThanOrEqual(limits[i] as number);
        }
      }),
    );
    const rows = Array.from({ length: 500 }, (_, i) =>
      makeRow(String(i), i % 100 === 0 ? 'apple river' : `apple ${'paper '.repeat(i % 9)}`),
    );
    const index = makeIndex(rows);
    const { documents, rest } = withSearch(index, makeQuery('apple river'), (search) =>
      search.rank(5),
    );
    expect(documents.length + rest.length).toBe(500);
    expect(documents.length).toBeLessThan(100);
  });

  it('keeps its places while documents change', () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      makeRow(String(i), `apple ${'paper '.repeat(i)}`),
    );
    const index = makeIndex(rows);
    const asked = makeQuery('apple');
    const first = withSearch(index, asked, (search) => search.rank(10));
    const idsOf = (ranking: RankingInput, offset: number, limit: number): string[] =>
      withSearch(index, asked, (search) =>
        search.page(search.extend(ranking, offset + limit), page(offset, limit)),
      ).hits.map(({ id }) => id);
    const before = idsOf(first, 0, 10);
    index.apply(makeRow('59', 'apple'));
    index.apply(makeRow('60', 'apple'));
    index.apply({ ...makeRow('40', ''), terms: null });
    const after = idsOf(first, 10, 60);
    expect(idsOf(first, 0, 10)).toEqual(before);
    expect(new Set([...before, ...after]).size).toBe(59);
    expect([...before, ...after].toSorted()).toEqual(
      rows
        .map(({ id }) => id)
        .filter((id) => id !== '40')
        .toSorted(),
    );
  });

  it('needs no negative weight of a feature that has only a limit', () => {
    for (const { turn, text } of Object.values(rankers)) {
      for (const { weights } of [turn, text]) {
        for (const name of limitedFeatures) {
          expect(weights[featureNames.indexOf(name)]).toBeGreaterThanOrEqual(0);
        }
      }
    }
  });
});
