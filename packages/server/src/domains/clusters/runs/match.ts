/** Similarity of two sets: |A ∩ B| / |A ∪ B| (Jaccard 1901). */
const jaccard = (shared: number, one: number, other: number): number =>
  shared / (one + other - shared);

/** From this similarity on, a new cluster continues a former one. */
const jaccardMin = 0.5;

/**
 * Matches new clusters with former ones: the best pairs first, each cluster at most once, if they
 * are similar enough. Clusters are represented by their memories; a memory may be in one cluster of
 * each side.
 */
export function matchClusters(
  former: ReadonlyMap<string, readonly string[]>,
  current: readonly (readonly string[])[],
): Map<number, string> {
  const homes = new Map<string, number>();
  for (const [i, members] of current.entries()) for (const id of members) homes.set(id, i);
  const pairs: { id: string; i: number; agreement: number }[] = [];
  for (const [id, members] of former) {
    const shared = new Map<number, number>();
    for (const member of members) {
      const home = homes.get(member);
      if (home !== undefined) shared.set(home, (shared.get(home) ?? 0) + 1);
    }
    for (const [i, count] of shared) {
      const agreement = jaccard(count, members.length, current[i]?.length ?? 0);
      if (agreement >= jaccardMin) pairs.push({ id, i, agreement });
    }
  }
  pairs.sort((a, b) => b.agreement - a.agreement || a.i - b.i || (a.id < b.id ? -1 : 1));
  const matches = new Map<number, string>();
  const matched = new Set<string>();
  for (const { id, i } of pairs) {
    if (matches.has(i) || matched.has(id)) continue;
    matches.set(i, id);
    matched.add(id);
  }
  return matches;
}
