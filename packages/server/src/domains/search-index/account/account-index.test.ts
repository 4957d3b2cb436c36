import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../../test/support/run-count.ts';
import { analyseText, parseTextAnalysis } from '../analysis.ts';
import { quantiseVector } from '../model.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import type { AccountIndex } from './account-index.ts';
import type { DocumentRow } from './document-row.ts';
import { estimateIndexBytes } from './index-size.ts';

const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'glass', 'yesterday', 'why?'];
const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 30 });
const component = fc.integer({ min: -20, max: 20 });
const vector = fc
  .tuple(component, component, component, fc.integer({ min: 1, max: 20 }))
  .map((values) => new Uint8Array(quantiseVector(Float32Array.from(values)).buffer));

/** One write to one of a few documents; a write without a text removes the document. */
const write = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  text: fc.option(content, { nil: null, freq: 4 }),
  vector: fc.option(vector, { nil: null }),
  space: fc.constantFrom(null, 's1', 's2'),
  session: fc.constantFrom(null, 'x', 'y'),
  ordinal: fc.integer({ min: 1, max: 9 }),
  speaker: fc.constantFrom(null, 'Ana', 'Ben Oak'),
  priority: fc.integer({ min: 0, max: 10 }),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const rowsOf = (writes: readonly Write[]): DocumentRow[] =>
  writes.map((one, at) =>
    makeRow(one.id, '', {
      terms: one.text && analyseText(one.text.join(' '), new Date(0)),
      vector: one.vector,
      space_id: one.space,
      session_id: one.session,
      // No two turns have the same ordinal.
      session_ordinal: one.ordinal * 1_000 + at,
      speaker: one.speaker,
      priority: one.priority,
      created_at: new Date(at),
    }),
  );

const lastOf = (rows: readonly DocumentRow[]): DocumentRow[] => {
  const last = new Map<string, DocumentRow>();
  for (const row of rows) {
    last.delete(row.id);
    if (row.terms !== null) last.set(row.id, row);
  }
  return [...last.values()];
};

const countsOf = (index: AccountIndex, spaces: readonly (string | null)[] | null) => {
  const { liveCount, sessions, meanLength, meanSessionLength, meanVector } = index.scope(spaces);
  const round = (value: number): string => value.toFixed(4);
  return [liveCount, sessions, ...[meanLength, meanSessionLength, ...meanVector].map(round)];
};

const shown = (index: AccountIndex, asked: readonly string[], spaces: readonly string[] | null) =>
  searchHits(
    index,
    makeQuery(asked.join(' '), {
      spaces,
      vector: Float32Array.of(1, 0.5, -0.2, 0.3),
      intent: {
        names: ['ana', 'ben'],
        isAboutSelf: false,
        asksWhen: true,
        isAboutPast: false,
        pastPeriodEnd: null,
        isLookup: false,
        times: [],
      },
    }),
  ).map(({ id, score, explanation }) => [
    id,
    score.toFixed(5),
    ...Object.values(explanation?.features ?? {}).map((value) => value.toFixed(4)),
  ]);

describe('an account’s index', () => {
  it('is the same after any sequence of writes as a new one with the final rows', () => {
    const spaces = fc.constantFrom(null, ['s1'], ['s1', 's2']);
    fc.assert(
      fc.property(fc.array(write, { maxLength: 40 }), content, spaces, (writes, asked, scope) => {
        const rows = rowsOf(writes);
        const lived = makeIndex(rows);
        const rebuilt = makeIndex(lastOf(rows));
        expect(lived.liveCount).toBe(rebuilt.liveCount);
        expect(countsOf(lived, scope)).toEqual(countsOf(rebuilt, scope));
        expect(shown(lived, asked, scope)).toEqual(shown(rebuilt, asked, scope));
      }),
      { numRuns: runCount(60, 3_000) },
    );
  });

  it('returns the latest number of a document, and whether it is deleted', () => {
    const index = makeIndex([makeRow('a', 'one'), makeRow('a', 'two'), makeRow('b', 'three')]);
    expect(index.latestNumber(0)).toBe(1);
    index.apply(makeRow('a', 'four'));
    expect(index.latestNumber(0)).toBe(3);
    index.apply(makeRow('a', '', { terms: null }));
    expect(index.latestNumber(0)).toBe(-1);
    expect(index.latestNumber(2)).toBe(2);
  });

  it('parses what was stored before texts had dates and flags', () => {
    const { passages, isQuestion, dates } = parseTextAnalysis('3 apple 2 river 1\n1 stone 1');
    expect(passages.map(({ length, terms }) => [length, terms.length])).toEqual([
      [3, 2],
      [1, 1],
    ]);
    expect([isQuestion, dates.length]).toEqual([false, 0]);
  });

  it('counts the lists of its tags as memory, those of distinct ones in full', () => {
    const bytesWith = (tagOf: (i: number) => string[]): number =>
      estimateIndexBytes(
        makeIndex(
          Array.from({ length: 100 }, (_, i) => makeRow(String(i), 'apple', { tags: tagOf(i) })),
        ),
      );
    const without = bytesWith(() => []);
    expect(bytesWith((i) => [`tag ${i}`]) - without).toBeGreaterThan(100 * 300);
    const shared = bytesWith(() => ['tag', 'tag']) - without;
    expect(shared).toBeGreaterThan(100 * 4);
    expect(shared).toBeLessThan(100 * 20);
  });
});
