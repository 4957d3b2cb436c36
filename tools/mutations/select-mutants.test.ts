import { describe, expect, test } from 'vitest';
import type { MutationSite } from './mutation.ts';
import { findSameMutants, selectMutants } from './select-mutants.ts';

const site = (
  area: string,
  functionStart: number,
  part: Partial<MutationSite> = {},
): MutationSite => ({
  kind: 'number',
  start: functionStart,
  end: functionStart + 1,
  replacement: '',
  description: `${functionStart} → ${functionStart + 1}`,
  path: `packages/server/src/${area}/example.ts`,
  line: 1,
  area,
  functionStart,
  occurrence: 0,
  ...part,
});

const many = (area: string, count: number) =>
  Array.from({ length: count }, (_, i) => site(area, i, { kind: i === 0 ? 'order' : 'number' }));

describe('the choice', () => {
  const sites = [...many('http', 200), ...many('text', 2), ...many('work', 50)];

  test('is the same for the same seed, and another one for another seed', () => {
    const chosen = selectMutants(sites, { seed: 1, count: 20 });
    expect(selectMutants(sites, { seed: 1, count: 20 })).toEqual(chosen);
    expect(selectMutants(sites, { seed: 2, count: 20 })).not.toEqual(chosen);
  });

  test('spreads over all areas as far as they have sites', () => {
    const chosen = selectMutants(sites, { seed: 1, count: 20 });
    const counts = [...Map.groupBy(chosen, ({ area }) => area)].map(([a, l]) => [a, l.length]);
    expect(counts).toEqual([
      ['http', 9],
      ['text', 2],
      ['work', 9],
    ]);
    expect(chosen.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  test('gives rare kinds the same chance', () => {
    const kinds = selectMutants(sites, { seed: 1, count: 20 }).map(({ kind }) => kind);
    expect(kinds).toContain('order');
  });

  test('takes no function twice', () => {
    const same = [site('http', 5), site('http', 5, { start: 6 }), site('http', 9)];
    const chosen = selectMutants(same, { seed: 1, count: 20 });
    expect(chosen.map(({ functionStart }) => functionStart).toSorted()).toEqual([5, 9]);
  });
});

describe('in another version of the source', () => {
  const mutants = selectMutants(many('http', 3), { seed: 1, count: 3 });

  test('a mutation is found where it is now, with its id', () => {
    const moved = many('http', 3).map((each) => ({ ...each, line: 7, start: each.start + 100 }));
    const { mutants: found, missing } = findSameMutants(moved, mutants);
    expect(missing).toEqual([]);
    expect(found).toEqual(mutants.map((each) => ({ ...each, line: 7, start: each.start + 100 })));
  });

  test('one that is not there is named', () => {
    const { mutants: found, missing } = findSameMutants(many('http', 2), mutants);
    expect(found).toHaveLength(2);
    expect(missing.map(({ functionStart }) => functionStart)).toEqual([2]);
  });
});
