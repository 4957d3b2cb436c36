import { ownerNames } from '@mneme/contract';
import { filterErased } from '../../instance/erasure-ledger.ts';
import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import { withTransaction } from '../ctx.ts';
import { findLinkTargets, type LinkTarget, lockLinkTargets } from '../memories/index.ts';
import { reindexLikelySuccessors } from '../relationships/index.ts';
import { liveDocumentIds, readLikelySuccessors } from '../search-index/index.ts';
import type { MemoryPair } from './model.ts';
import {
  deleteSuggestions,
  likelyMax,
  listLikelySuccessors,
  listOpenPairs,
} from './store/suggestions.ts';

const batchDocuments = 1_000;

/**
 * What probably supersedes a document is what open suggestions say, and each of them is about two
 * memories of one owner. Ids of erased memories may stay: they mean nothing any more.
 */
export const likelySuccessorCheck: ConsistencyCheck = {
  name: 'likely_successors',
  async read({ actor: { accountId } }, tx, after) {
    const ids = await liveDocumentIds(tx, accountId, 'memory', after, batchDocuments);
    const stored = await readLikelySuccessors(tx, accountId, ids);
    const allOpen = await listOpenPairs(tx, accountId, ids);
    const inPairs = allOpen.flatMap(({ newerId, olderId }) => [newerId, olderId]);
    const mentioned = [...stored.values(), inPairs].flat();
    const memories = await findLinkTargets(tx, accountId, [...new Set(mentioned)]);
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    const absent = [...stored.values()].flat().filter((id) => !byId.has(id));
    const erased = await filterErased(tx, 'memory', absent);
    const pairs = Map.groupBy(allOpen, ({ olderId }) => olderId);
    return {
      rows: ids.length,
      next: ids.length < batchDocuments ? null : (ids.at(-1) ?? null),
      compare: () =>
        ids.flatMap((id) => {
          const named = stored.get(id) ?? [];
          const open = pairs.get(id) ?? [];
          return findDifferences({ id, named, open }, byId, erased);
        }),
    };
  },
  async repair(ctx, inconsistencies) {
    const { accountId } = ctx.actor;
    const ids = [...new Set(inconsistencies.flatMap(({ id }) => id ?? []))];
    await withTransaction(ctx, async (inTx) => {
      const { tx } = inTx;
      await lockLinkTargets(tx, accountId, ids);
      const open = await listOpenPairs(tx, accountId, ids);
      const mentioned = open.flatMap(({ newerId, olderId }) => [newerId, olderId]);
      const memories = await findLinkTargets(tx, accountId, mentioned);
      const byId = new Map(memories.map((memory) => [memory.id, memory]));
      const foreign = open.filter((pair) => isForeign(pair, byId));
      await deleteSuggestions(tx, accountId, foreign);
      await reindexLikelySuccessors(inTx, await listLikelySuccessors(tx, accountId, ids));
    });
    return new Set(ids);
  },
};

type Memories = ReadonlyMap<string, LinkTarget>;

interface NamedSuccessors {
  readonly id: string;
  /** By the document. */
  readonly named: readonly string[];
  readonly open: readonly MemoryPair[];
}

function findDifferences(
  { id, named, open }: NamedSuccessors,
  memories: Memories,
  erased: ReadonlySet<string>,
): Inconsistency[] {
  if (open.some((pair) => isForeign(pair, memories))) {
    const message = 'an open suggestion is about memories of different owners';
    return [{ code: 'owner_differs', id, message }];
  }
  const suggested = new Set(open.map(({ newerId }) => newerId));
  const unsaid = named.filter((one) => !suggested.has(one) && !erased.has(one));
  // A full document names the most probable ones, of which some may be erased since.
  const lacks = named.length < likelyMax && open.some((one) => !named.includes(one.newerId));
  if (!lacks && unsaid.length === 0) return [];
  const message = 'the document names other memories that may outdate it than the suggestions do';
  // The ledger forgets erasures after some years, and what a create finds is indexed in the
  // background, after the memory is compared again.
  const isOutdated = !unsaid.some((one) => memories.has(one));
  return [{ code: 'likely_successors_differ', id, message, ...(isOutdated && { isOutdated }) }];
}

function isForeign({ newerId, olderId }: MemoryPair, memories: Memories): boolean {
  const [newer, older] = [memories.get(newerId), memories.get(olderId)];
  return !!newer && !!older && ownerNames.some((name) => newer[name] !== older[name]);
}
