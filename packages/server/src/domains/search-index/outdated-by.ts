import type { Db } from '../../database/index.ts';
import type { MemoryVisibility } from '../ctx.ts';
import { listSuccessors } from './store/successors.ts';
import { findOutdatingEnds } from './successor-chains.ts';

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
  const known = new Map([...superseded, ...successors].map((one) => [one.id, one]));
  const visibleIds = new Set(successors.map(({ id }) => id));
  const direct = (id: string): readonly string[] => known.get(id)?.supersededBy ?? [];
  const endedBy = (id: string): string[] =>
    (known.get(id)?.factsEndedBy ?? []).filter((newer) => !direct(newer).includes(id));
  const only = (id: string, ids: readonly string[]): string[] =>
    ids.filter((newer) => newer !== id && visibleIds.has(newer));
  const outdated = new Map<string, string>();
  for (const { id } of superseded) {
    const ends = findOutdatingEnds(
      id,
      (one) => only(one, direct(one)),
      (one) => only(one, endedBy(one)),
    );
    // Ids are in the order of their creation.
    const newest = ends.toSorted().at(-1);
    if (newest !== undefined) outdated.set(id, newest);
  }
  return outdated;
}
