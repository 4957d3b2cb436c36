import { describe, expect, it } from 'vitest';
import type { DocumentRow } from '../account/account-index.ts';
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
