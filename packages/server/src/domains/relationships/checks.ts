import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { findLinkTargets } from '../memories/index.ts';
import { listRelationshipsAfter, type StoredRelationship } from './store/checks.ts';

const batchLinks = 500;

/** Checks the counts of pinned memories, and that the two relationships of a pair match. */
export const relationshipCheck: ConsistencyCheck = {
  name: 'relationships',
  async read({ actor: { accountId } }, tx, after) {
    const links = await listRelationshipsAfter(tx, accountId, after, batchLinks);
    const ids = new Set(links.flatMap(({ source_id, target_id }) => [source_id, target_id]));
    const targets = await findLinkTargets(tx, accountId, [...ids]);
    const pinned = new Map(targets.map(({ id, is_pinned }) => [id, is_pinned]));
    return {
      rows: links.length,
      next: links.length < batchLinks ? null : (links.at(-1)?.id ?? null),
      compare: () => links.flatMap((link) => findInconsistencies(link, pinned)),
    };
  },
};

function findInconsistencies(
  link: StoredRelationship,
  pinned: ReadonlyMap<string, boolean>,
): Inconsistency[] {
  const { id, pinned_memory_count: counted, is_mirrored } = link;
  const arePinned = [pinned.get(link.source_id), pinned.get(link.target_id)];
  const inconsistencies: Inconsistency[] = [];
  const count = arePinned.filter(Boolean).length;
  // If a memory waits for its erasure, so do its relationships.
  if (!arePinned.includes(undefined) && count !== counted) {
    const message = `pinned_memory_count is ${counted}, but ${count} memories are pinned`;
    inconsistencies.push({ code: 'pins_differ', id, message });
  }
  if (is_mirrored === false) {
    const message = 'the inverse relationship does not link the same memories in reverse';
    inconsistencies.push({ code: 'inverse_differs', id, message });
  }
  return inconsistencies;
}
