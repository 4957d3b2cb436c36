import { limits, type RelationshipType } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import { lockLinkTargets } from '../memories/index.ts';
import { createLinks } from './create.ts';
import { findLinkedMemories, publishRelationshipUpdated } from './events.ts';
import { presentRelationship, reinforceBy } from './model.ts';
import { lockRelationshipsAmong, saveReinforced } from './store/edges.ts';

/** What is found together belongs together: reinforcing and linking, by pairs. */

/** Two memories in no order; `low` is the smaller id. */
export interface MemoryPair {
  readonly low: string;
  readonly high: string;
}

export const toPair = (a: string, b: string): MemoryPair =>
  a < b ? { low: a, high: b } : { low: b, high: a };
export const pairKey = ({ low, high }: MemoryPair): string => `${low} ${high}`;

const changes = ['weight', 'usage_count', 'last_reinforced_at'];

/**
 * Reinforces every relationship between these memories; returns the pairs that have one. One that
 * rests, since a memory of it is softly deleted, is left as it is.
 */
export async function reinforceAmong(
  inTx: TxCtx,
  ids: readonly string[],
  amount: number,
): Promise<Set<string>> {
  const { tx, actor, clock } = inTx;
  const ends = await lockLinkTargets(tx, actor.accountId, ids);
  const known = new Map(ends.map((end) => [end.id, end]));
  const records = await lockRelationshipsAmong(tx, actor.accountId, ids);
  const now = clock.now();
  const moved = records.flatMap((record) => {
    const both = findLinkedMemories(record, known);
    if (!both || both.source.deleted_at !== null || both.target.deleted_at !== null) return [];
    return [{ both, record, after: reinforceBy(amount)(record, now) }];
  });
  if (moved.length > 0) {
    await saveReinforced(
      tx,
      actor.accountId,
      moved.map(({ after }) => after),
    );
  }
  for (const { both, record, after } of moved) {
    const shown = {
      before: presentRelationship(record, now),
      after: presentRelationship(after, now),
    };
    publishRelationshipUpdated(inTx, both, { ...shown, changes });
  }
  return new Set(records.map((one) => pairKey(toPair(one.source_id, one.target_id))));
}

/** Links pairs that nothing links yet; one that has no room for it stays as it is. */
export async function linkPairs(
  inTx: TxCtx,
  pairs: readonly MemoryPair[],
  link: { type: RelationshipType; weight: number; metadata: Record<string, unknown> },
): Promise<void> {
  const { type, weight, metadata } = link;
  const rest = { weight, metadata, decay_rate: limits.decayRateDefault, bidirectional: false };
  await createLinks(
    inTx,
    pairs.map(({ low, high }) => ({ sourceId: low, type, body: { ...rest, target_id: high } })),
  );
}
