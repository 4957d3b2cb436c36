import { limits, type RelationshipName } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import { lockEnds } from '../memories/index.ts';
import { linkAll } from './create.ts';
import { presentRelationship, reinforced } from './model.ts';
import { lockAmong, saveReinforced } from './store/among.ts';
import { endsOf, tellUpdated } from './tell.ts';

/** What is found together belongs together: reinforcing and linking, by pairs. */

/** Two memories in no order; `low` is the smaller id. */
export interface Pair {
  readonly low: string;
  readonly high: string;
}

export const pairOf = (a: string, b: string): Pair =>
  a < b ? { low: a, high: b } : { low: b, high: a };
export const pairKey = ({ low, high }: Pair): string => `${low} ${high}`;

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
  const ends = await lockEnds(tx, actor.accountId, ids);
  const known = new Map(ends.map((end) => [end.id, end]));
  const records = await lockAmong(tx, actor.accountId, ids);
  const now = clock.now();
  const moved = records.flatMap((record) => {
    const both = endsOf(record, known);
    if (!both || both.source.deleted_at !== null || both.target.deleted_at !== null) return [];
    return [{ both, record, after: reinforced(amount)(record, now) }];
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
    tellUpdated(inTx, both, { ...shown, changes });
  }
  return new Set(records.map((one) => pairKey(pairOf(one.source_id, one.target_id))));
}

/** Links pairs that nothing links yet; one that has no room for it stays as it is. */
export async function linkPairs(
  inTx: TxCtx,
  pairs: readonly Pair[],
  link: { type: RelationshipName; weight: number; metadata: Record<string, unknown> },
): Promise<void> {
  const { type, weight, metadata } = link;
  const rest = { weight, metadata, decay_rate: limits.decayRateDefault, bidirectional: false };
  await linkAll(
    inTx,
    pairs.map(({ low, high }) => ({ sourceId: low, type, body: { ...rest, target_id: high } })),
  );
}
