import { type Mutant, type MutationSite, mutationKey } from './mutation.ts';

export interface MutantSelectionOptions {
  readonly seed: number;
  readonly count: number;
}

/**
 * `count` sites, the same ones for the same seed and sources: areas take turns, kinds are equally
 * likely within an area, and no function is chosen twice.
 */
export function selectMutants(
  sites: readonly MutationSite[],
  { seed, count }: MutantSelectionOptions,
): Mutant[] {
  const next = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const areas = [...Map.groupBy(sites, ({ area }) => area)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => members);
  const chosen: Mutant[] = [];
  while (chosen.length < count && areas.some((area) => area.length > 0)) {
    for (const [i, area] of areas.entries()) {
      if (area.length === 0 || chosen.length === count) continue;
      const kind = pick([...new Set(area.map((site) => site.kind))].toSorted());
      const site = pick(area.filter((each) => each.kind === kind));
      chosen.push({ ...site, id: chosen.length + 1 });
      areas[i] = area.filter((other) => !isSameFunction(site, other));
    }
  }
  return chosen;
}

/** The same mutations in another version of the source; `missing` are those it does not have. */
export function findSameMutants(sites: readonly MutationSite[], mutants: readonly Mutant[]) {
  const byKey = new Map(sites.map((site) => [mutationKey(site), site]));
  const found = (mutant: Mutant) => byKey.get(mutationKey(mutant));
  return {
    mutants: mutants.flatMap((mutant) => {
      const site = found(mutant);
      return site ? [{ ...site, id: mutant.id }] : [];
    }),
    missing: mutants.filter((mutant) => !found(mutant)),
  };
}

const isSameFunction = (a: MutationSite, b: MutationSite): boolean =>
  a.path === b.path && a.functionStart === b.functionStart;

/** Mulberry32: numbers from 0 up to 1, the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
