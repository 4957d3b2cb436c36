/** How much of two sets they have in common: |A ∩ B| / |A ∪ B| (Jaccard 1901). */
const jaccard = (shared: number, one: number, other: number): number =>
  shared / (one + other - shared);

/** From here on a cluster of a new run is one of a former run. */
const jaccardMin = 0.5;

/**
 * Which former cluster each new one is: the best pairs first, each at most once, where they mostly
 * agree. Clusters are given as the memories that each has; a memory may be in one of each side.
 */
export function matchClusters(
  former: ReadonlyMap<string, readonly string[]>,
  fresh: readonly (readonly string[])[],
): Map<number, string> {
  const homes = new Map<string, number>();
  for (const [i, members] of fresh.entries()) for (const id of members) homes.set(id, i);
  const pairs: { id: string; i: number; agreement: number }[] = [];
  for (const [id, members] of former) {
    const shared = new Map<number, number>();
    for (const member of members) {
      const home = homes.get(member);
      if (home !== undefined) shared.set(home, (shared.get(home) ?? 0) + 1);
    }
    for (const [i, count] of shared) {
      const agreement = jaccard(count, members.length, fresh[i]?.length ?? 0);
      if (agreement >= jaccardMin) pairs.push({ id, i, agreement });
    }
  }
  pairs.sort((a, b) => b.agreement - a.agreement || a.i - b.i || (a.id < b.id ? -1 : 1));
  const matches = new Map<number, string>();
  const taken = new Set<string>();
  for (const { id, i } of pairs) {
    if (matches.has(i) || taken.has(id)) continue;
    matches.set(i, id);
    taken.add(id);
  }
  return matches;
}
