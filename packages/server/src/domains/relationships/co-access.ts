import { limits, type RelationshipType } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import { lockLinkTargets } from '../memories/index.ts';
import { createRelationships } from './create.ts';
import { findLinkedMemories, publishRelationshipUpdated } from './events.ts';
import { presentRelationship, reinforceBy } from './model.ts';
import { lockRelationshipsAmong, saveReinforced } from './store/edges.ts';

/** Co-access: reinforces and links memories that are retrieved together, by pairs. */

/** An unordered pair of memories; `low` is the smaller id. */
export interface MemoryPair {
  readonly low: string;
  readonly high: string;
}

export const toMemoryPair = (a: string, b: string): MemoryPair =>
  a < b ? { low: a, high: b } : { low: b, high: a };
export const pairKey = ({ low, high }: MemoryPair): string => `${low} ${high}`;

const changes = ['weight', 'usage_count', 'last_reinforced_at'];

/**
 * Reinforces every relationship between these memories; returns the pairs that have one.
 * Relationships with a soft-deleted memory are inactive and stay unchanged.
 */
export async function reinforceRelationshipsAmong(
  inTx: TxCtx,
  ids: readonly string[],
  amount: number,
): Promise<Set<string>> {
  const { tx, actor, clock } = inTx;
  const targets = await lockLinkTargets(tx, actor.accountId, ids);
  const targetsById = new Map(targets.map((target) => [target.id, target]));
  const records = await lockRelationshipsAmong(tx, actor.accountId, ids);
  const now = clock.now();
  const reinforced = records.flatMap((record) => {
    const memories = findLinkedMemories(record, targetsById);
    if (!memories || memories.source.deleted_at !== null || memories.target.deleted_at !== null)
      return [];
    return [{ memories, record, after: reinforceBy(amount)(record, now) }];
  });
  if (reinforced.length > 0) {
    await saveReinforced(
      tx,
      actor.accountId,
      reinforced.map(({ after }) => after),
    );
  }
  for (const { memories, record, after } of reinforced) {
    const states = {
      before: presentRelationship(record, now),
      after: presentRelationship(after, now),
    };
    publishRelationshipUpdated(inTx, memories, { ...states, changes });
  }
  return new Set(
    records.map((record) => pairKey(toMemoryPair(record.source_id, record.target_id))),
  );
}

/** Links pairs that have no relationship yet; skips memories at their limit. */
export async function linkPairs(
  inTx: TxCtx,
  pairs: readonly MemoryPair[],
  link: { type: RelationshipType; weight: number; metadata: Record<string, unknown> },
): Promise<void> {
  const { type, weight, metadata } = link;
  const defaults = { weight, metadata, decay_rate: limits.decayRateDefault, bidirectional: false };
  await createRelationships(
    inTx,
    pairs.map(({ low, high }) => ({ sourceId: low, type, body: { ...defaults, target_id: high } })),
  );
}
