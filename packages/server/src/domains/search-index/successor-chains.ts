/**
 * The ends of the chains of what supersedes a document: several where it was superseded by several,
 * none in a cycle.
 * @param direct what supersedes a document itself
 */
export const findChainEnds = <T>(document: T, direct: (document: T) => readonly T[]): T[] =>
  findReachable(document, direct).filter((one) => direct(one).length === 0);

/**
 * The ends of the chains of what supersedes a document, and of what says that facts have ended. If
 * both together are a cycle, what supersedes it counts.
 */
export function findOutdatingEnds<T>(
  document: T,
  direct: (document: T) => readonly T[],
  endedBy: (document: T) => readonly T[],
): T[] {
  const ends = findChainEnds(document, (one) => [...direct(one), ...endedBy(one)]);
  return ends.length > 0 ? ends : findChainEnds(document, direct);
}

/** Everything on the chains of what supersedes a document, without itself. */
export function findReachable<T>(document: T, direct: (document: T) => readonly T[]): T[] {
  const seen = new Set([document]);
  const pending = [...direct(document)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...direct(next));
  }
  seen.delete(document);
  return [...seen];
}
