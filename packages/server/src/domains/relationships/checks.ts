import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { findLinkTargets } from '../memories/index.ts';
import { linksAfter, type StoredLink } from './store/checks.ts';

const batchLinks = 500;

/** How many of its memories a relationship takes for pinned, and whether a pair fits together. */
export const relationshipCheck: ConsistencyCheck = {
  name: 'relationships',
  async read({ actor: { accountId } }, tx, after) {
    const links = await linksAfter(tx, accountId, after, batchLinks);
    const ids = new Set(links.flatMap(({ source_id, target_id }) => [source_id, target_id]));
    const ends = await findLinkTargets(tx, accountId, [...ids]);
    const pinned = new Map(ends.map(({ id, is_pinned }) => [id, is_pinned]));
    return {
      rows: links.length,
      next: links.length < batchLinks ? null : (links.at(-1)?.id ?? null),
      compare: () => links.flatMap((link) => findInconsistencies(link, pinned)),
    };
  },
};

function findInconsistencies(
  link: StoredLink,
  pinned: ReadonlyMap<string, boolean>,
): Inconsistency[] {
  const { id, pinned_ends: counted, is_mirrored } = link;
  const ends = [pinned.get(link.source_id), pinned.get(link.target_id)];
  const faults: Inconsistency[] = [];
  const count = ends.filter(Boolean).length;
  // Where a memory waits for its erasure, its relationships wait for theirs.
  if (!ends.includes(undefined) && count !== counted) {
    const message = `pinned_ends says ${counted}, ${count} of its memories are pinned`;
    faults.push({ code: 'pins_differ', id, message });
  }
  if (is_mirrored === false) {
    const message = 'its other half does not link the same memories the other way round';
    faults.push({ code: 'inverse_differs', id, message });
  }
  return faults;
}
