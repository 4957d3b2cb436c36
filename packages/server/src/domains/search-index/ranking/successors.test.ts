import { describe, expect, it } from 'vitest';
import type { DocumentRow } from '../account/document-row.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import type { IndexQuery } from './query.ts';
import { toLogOdds } from './score.ts';

/** A memory that the ones with these ids supersede. */
const row = (
  id: string,
  content: string,
  supersededBy: readonly string[] = [],
  extra: Partial<DocumentRow> = {},
): DocumentRow => makeRow(id, content, { superseded_by: supersededBy, ...extra });

const find = (rows: readonly DocumentRow[], q: string, extra: Partial<IndexQuery> = {}) =>
  searchHits(makeIndex(rows), makeQuery(q, extra));
const idsOf = (...args: Parameters<typeof find>): string[] => find(...args).map(({ id }) => id);

const past = {
  intent: { ...makeQuery('').intent, isAboutPast: true },
};

describe('what probably outdates a memory', () => {
  const attic = row('1', 'the zither is in the attic');
  const harp = row('3', 'a harp in the garden shed');
  const cellar = (likely: readonly string[]): DocumentRow =>
    row('2', 'the zither is in the cellar', [], { likely_superseded_by: likely });
  const rows = [attic, cellar(['1', '9']), harp];

  it('comes just before it where it answers nearly as well', () => {
    expect(idsOf([attic, cellar([]), harp], 'zither')).toEqual(['2', '1']);
    const hits = find(rows, 'zither');
    expect(hits.map(({ id }) => id)).toEqual(['1', '2']);
    expect(hits.map(({ outdatedBy }) => outdatedBy)).toEqual([null, null]);
  });

  it('is not brought in where it does not answer', () => {
    expect(idsOf([attic, cellar(['3']), harp], 'zither cellar')).toEqual(['2', '1']);
  });

  it('changes nothing for a question about the past, and hides nothing', () => {
    expect(idsOf(rows, 'zither', past)).toEqual(['2', '1']);
    expect(idsOf(rows, 'zither', { dropsSuperseded: true })).toEqual(['1', '2']);
  });
});

describe('what says that the facts of a memory have ended', () => {
  const at = (time: number, ...by: string[]): Partial<DocumentRow> => ({
    facts_ended_at: new Date(time),
    facts_ended_by: by,
  });
  const attic = row('1', 'the zither is in the attic');
  const harp = row('3', 'a harp in the garden shed');
  const cellar = (extra: Partial<DocumentRow>): DocumentRow =>
    row('2', 'the zither is in the cellar', [], extra);
  const now = 1_000;

  it('comes just before it where it answers nearly as well, and is named', () => {
    const hits = find([attic, cellar(at(now, '1', '9')), harp], 'zither', { now });
    expect(hits).toMatchObject([
      { id: '1', outdatedBy: null, supersededBy: null },
      { id: '2', outdatedBy: '1', supersededBy: null },
    ]);
    const far = find([attic, cellar(at(now, '3')), harp], 'zither cellar', { now });
    expect(far).toMatchObject([
      { id: '2', outdatedBy: '3' },
      { id: '1', outdatedBy: null },
    ]);
  });

  it('changes nothing before they end, for a question about the past, and hides nothing', () => {
    const rows = [attic, cellar(at(now, '1')), harp];
    expect(find(rows, 'zither', { now: now - 1 })[0]).toMatchObject({ id: '2', outdatedBy: null });
    expect(idsOf(rows, 'zither', { now, ...past })).toEqual(['2', '1']);
    expect(idsOf(rows, 'zither', { now, dropsSuperseded: true })).toEqual(['1', '2']);
    expect(idsOf(rows, 'zither', { now, asOf: now - 1 })[0]).toBe('2');
    expect(idsOf(rows, 'zither', { now: 0, asOf: now })[0]).toBe('1');
  });

  it('is nothing where it was deleted or cannot be seen, and may be outdated itself', () => {
    const hidden = row('1', 'the zither is in the attic', [], { space_id: 's' });
    const limited = { now, spaces: [null], visibleSpaces: [null] };
    const own = cellar(at(now, '1'));
    expect(find([hidden, own], 'zither', limited)).toMatchObject([{ id: '2', outdatedBy: null }]);
    expect(find([own], 'zither', { now })).toMatchObject([{ id: '2', outdatedBy: null }]);
    const chain = [row('1', 'the zither is in the attic', ['3']), own, harp];
    const hits = find(chain, 'zither', { now });
    expect(hits.find(({ id }) => id === '2')?.outdatedBy).toBe('3');
  });
});

describe('what supersedes a memory', () => {
  it('comes just before it, also where it is no match itself', () => {
    const rows = [
      row('1', 'the zither is in the attic', ['3']),
      row('2', 'a zither'),
      row('3', 'the instrument is in the cellar'),
    ];
    const hits = find(rows, 'zither attic');
    expect(hits.map(({ id }) => id)).toEqual(['3', '1', '2']);
    expect(hits.map(({ outdatedBy }) => outdatedBy)).toEqual([null, '3', null]);
    expect((hits[0]?.score ?? 0) > (hits[1]?.score ?? 1)).toBe(true);
  });

  it('is the end of a chain, and each end of a fork', () => {
    const rows = [
      row('1', 'zither one', ['2']),
      row('2', 'ocarina', ['3', '4']),
      row('3', 'harp'),
      row('4', 'flute'),
    ];
    const hits = find(rows, 'zither');
    expect(hits.map(({ id }) => id).toSorted()).toEqual(['1', '3', '4']);
    expect(hits.at(-1)).toMatchObject({ id: '1', outdatedBy: '4', supersededBy: '2' });
  });

  it('is nothing in a cycle, or where it was deleted or cannot be seen', () => {
    const cycle = [row('1', 'zither one', ['2']), row('2', 'harp', ['1'])];
    expect(find(cycle, 'zither')).toMatchObject([{ id: '1', outdatedBy: null }]);
    expect(find([row('1', 'zither one', ['9'])], 'zither')).toMatchObject([{ outdatedBy: null }]);
    const elsewhere = [row('1', 'zither one', ['2']), row('2', 'harp', [], { space_id: 's' })];
    const limited = { spaces: [null], visibleSpaces: [null] };
    expect(find(elsewhere, 'zither', limited)).toMatchObject([{ id: '1', outdatedBy: null }]);
    // In another space than the searched one it is no result, but outdates.
    const searched = { spaces: [null], visibleSpaces: null };
    expect(find(elsewhere, 'zither', searched)).toMatchObject([{ id: '1', outdatedBy: '2' }]);
  });

  it('obeys the filters', () => {
    const rows = [row('1', 'zither one', ['2'], { tags: ['a'] }), row('2', 'harp')];
    const filters = { tags: ['a'] };
    expect(find(rows, 'zither', { filters })).toMatchObject([{ id: '1', outdatedBy: '2' }]);
    expect(idsOf(rows, 'zither')).toEqual(['2', '1']);
  });

  it('takes its place where outdated memories are left out', () => {
    const rows = [
      row('1', 'the zither is in the attic', ['3']),
      row('2', 'a zither'),
      row('3', 'the instrument is in the cellar'),
    ];
    expect(idsOf(rows, 'zither attic', { dropsSuperseded: true })).toEqual(['3', '2']);
    expect(idsOf(rows, 'zither attic', { dropsSuperseded: true, ...past })).toEqual(['3', '2']);
  });

  it('does not move where the question is about the past', () => {
    const rows = [row('1', 'the zither is in the attic', ['2']), row('2', 'the zither is gone')];
    expect(find(rows, 'zither attic', past)).toMatchObject([
      { id: '1', outdatedBy: '2' },
      { id: '2', outdatedBy: null },
    ]);
  });

  it('is told by the explanation, whose features sum up to the score', () => {
    const rows = [row('1', 'the zither is in the attic', ['2']), row('2', 'the harp')];
    const hits = find(rows, 'zither attic');
    for (const { score, explanation } of hits) {
      const features = Object.values(explanation?.features ?? {});
      expect(features.reduce((sum, value) => sum + value, 0)).toBeCloseTo(toLogOdds(score), 6);
    }
    expect(hits[0]?.explanation?.features.successor).toBeGreaterThan(0);
    expect(hits[1]?.explanation?.features.successor).toBeLessThan(0);
  });
});

describe('what held at a moment', () => {
  const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
  const held = (number: number): Partial<DocumentRow> => ({ occurred_at: day(number) });
  const asOf = (number: number): Partial<IndexQuery> => ({ asOf: day(number).getTime() });
  const chain = [
    row('1', 'the zither is in the attic', ['2'], held(1)),
    row('2', 'the zither is in the cellar', ['3'], held(11)),
    row('3', 'the zither is sold', [], held(21)),
  ];

  it.each([
    [5, ['1', '2', '3']],
    [15, ['2', '1', '3']],
    [25, ['3', '1', '2']],
  ])('comes first: on day %d %j', (moment, [first, ...others]) => {
    const hits = find(chain, 'zither', asOf(moment));
    expect(hits[0]?.id).toBe(first);
    expect(hits.map(({ id }) => id).toSorted()).toEqual([first, ...others].toSorted());
    // What is outdated by now is told all the same.
    expect(hits.find(({ id }) => id === '1')?.outdatedBy).toBe('3');
  });

  it('is brought in by what supersedes it later, also along a chain', () => {
    const rows = [
      row('1', 'in the attic', ['2'], held(1)),
      row('2', 'in the cellar', ['3'], held(11)),
      row('3', 'the zither is sold', [], held(21)),
    ];
    expect(idsOf(rows, 'zither', asOf(5))).toEqual(['1', '3']);
    expect(idsOf(rows, 'zither', asOf(15))).toEqual(['2', '3']);
    expect(idsOf(rows, 'zither', { ...asOf(15), filters: { excludedIds: ['2'] } })).toEqual(['3']);
  });

  it('alone is left, where outdated memories are left out, with what is later', () => {
    const only = (moment: number) =>
      idsOf(chain, 'zither', { ...asOf(moment), dropsSuperseded: true });
    expect(only(5)).toEqual(['1', expect.anything(), expect.anything()]);
    expect(only(15)).toEqual(['2', '3']);
    expect(only(25)).toEqual(['3']);
  });

  it('may be the end of the past period that the question names', () => {
    const intent = { ...past.intent, pastPeriodEnd: day(15).getTime() };
    expect(idsOf(chain, 'zither', { intent })[0]).toBe('2');
  });

  it('precedes everything later that matches as well', () => {
    const rows = [row('1', 'a zither', [], held(1)), row('2', 'a zither here', [], held(11))];
    const hits = find(rows, 'zither here', asOf(5));
    expect(hits.map(({ id }) => id)).toEqual(['1', '2']);
    expect(hits[1]?.explanation?.features.outdated).toBeLessThan(0);
    for (const { score, explanation } of hits) {
      const features = Object.values(explanation?.features ?? {});
      expect(features.reduce((sum, value) => sum + value, 0)).toBeCloseTo(toLogOdds(score), 6);
    }
  });
});
