import type { Db } from '../../database/index.ts';
import type { MemoryVisibility } from '../ctx.ts';
import { listSuccessors } from './store/successors.ts';
import { findChainEnds } from './successor-chains.ts';

/**
 * For each of these documents that is outdated, what a caller should read instead: the newest of
 * the documents at the ends of what supersedes it, or says that its facts have ended. A deleted
 * document, or one that the caller may not see, does neither.
 */
export async function findOutdatedBy(
  db: Db,
  {
    accountId,
    ids,
    visible,
    now,
  }: {
    readonly accountId: string;
    readonly ids: readonly string[];
    readonly visible: MemoryVisibility;
    /** When facts must have ended; null: those do not count. */
    readonly now: Date | null;
  },
): Promise<Map<string, string>> {
  const { superseded, successors } = await listSuccessors(db, accountId, ids, visible, now);
  const known = new Map(successors.map((document) => [document.id, document]));
  const outdated = new Map<string, string>();
  for (const { id, supersededBy } of superseded) {
    const direct = (one: string): string[] =>
      (one === id ? supersededBy : (known.get(one)?.supersededBy ?? [])).filter(
        (newer) => newer !== one && known.has(newer),
      );
    // Ids are in the order of their creation.
    const newest = findChainEnds(id, direct).toSorted().at(-1);
    if (newest !== undefined) outdated.set(id, newest);
  }
  return outdated;
}
