import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { withTransaction } from '../ctx.ts';
import { findLinkTargets, lockLinkTargets } from '../memories/index.ts';
import {
  filterLiveDocuments,
  liveDocumentIds,
  readSuccessors,
  reindexSuccessors,
} from '../search-index/index.ts';
import { listRelationshipsAfter, type StoredRelationship } from './store/checks.ts';
import { listSuperseding } from './store/superseding.ts';

const batchLinks = 500;
const batchDocuments = 1_000;

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

/** Compares what supersedes a document with the relationships that say so. */
export const successorCheck: ConsistencyCheck = {
  name: 'successors',
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'memory', after, batchDocuments);
    const stored = await readSuccessors(tx, accountId, ids);
    const linked = await listSuperseding(tx, accountId, ids);
    const mentioned = [...stored.values(), ...linked.map(({ supersededBy }) => supersededBy)];
    // A memory that is erased takes its relationships along, and its id means nothing any more.
    const live = await filterLiveDocuments(tx, accountId, mentioned.flat());
    const asText = (successors: readonly string[]): string =>
      successors
        .filter((id) => live.has(id))
        .toSorted()
        .join();
    return {
      rows: ids.length,
      next: ids.length < batchDocuments ? null : (ids.at(-1) ?? null),
      compare: () =>
        linked
          .filter(({ id, supersededBy }) => asText(stored.get(id) ?? []) !== asText(supersededBy))
          .map(({ id }) => ({
            code: 'successors_differ',
            id,
            message:
              'the document names other memories that supersede it than the relationships do',
          })),
    };
  },
  async repair(ctx, inconsistencies) {
    const { accountId } = ctx.actor;
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    await withTransaction(ctx, async (inTx) => {
      await lockLinkTargets(inTx.tx, accountId, ids);
      reindexSuccessors(inTx, await listSuperseding(inTx.tx, accountId, ids));
    });
    return new Set(ids);
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
