/**
 * The ends of the chains of what supersedes a document: several where it was superseded by several,
 * none in a cycle.
 * @param direct what supersedes a document itself
 */
export function findChainEnds<T>(document: T, direct: (document: T) => readonly T[]): T[] {
  const ends = new Set<T>();
  const seen = new Set([document]);
  const pending = [...direct(document)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const further = direct(next);
    if (further.length === 0) ends.add(next);
    else pending.push(...further);
  }
  return [...ends];
}
