import { limits, type Relationship, type RelationshipName } from '@mneme/contract';
import { type Ctx, type TxCtx, visibleSpaces } from '../ctx.ts';
import { lockEnds } from '../memories/index.ts';
import { linkAll } from './create.ts';
import { effectiveWeight, presentRelationship, reinforced, strengthOf } from './model.ts';
import { idsAmong, lockAmong, saveReinforced } from './store/among.ts';
import { findRelationships, readFrontier } from './store.ts';
import { endsOf, isPinned, present, tellUpdated } from './tell.ts';

/** Relationships whose both ends are among these memories, active and visible; oldest first. */
export async function linksAmong(ctx: Ctx, ids: readonly string[]): Promise<Relationship[]> {
  if (ids.length < 2) return [];
  const { accountId } = ctx.actor;
  const seen = { accountId, visible: visibleSpaces(ctx.actor) };
  const named = await idsAmong(ctx.engine.db, accountId, ids);
  const links = await findRelationships(ctx.engine.db, seen, named);
  const now = ctx.clock.now();
  return links
    .map((link) => presentRelationship(link, link.pinned, now))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export interface Neighbour {
  readonly id: string;
  /** The memory whose relationship leads here. */
  readonly from: string;
  /** 0..1, after decay. */
  readonly strength: number;
}

/** Active, visible memories one step from any of these, the strongest ties first, each once. */
export async function neighboursOf(
  ctx: Ctx,
  starts: readonly { readonly id: string; readonly is_pinned: boolean }[],
): Promise<Neighbour[]> {
  if (starts.length === 0) return [];
  const pinned = new Map(starts.map(({ id, is_pinned }) => [id, is_pinned]));
  const ids = [...pinned.keys()];
  const seen = { accountId: ctx.actor.accountId, visible: visibleSpaces(ctx.actor) };
  const rows = await readFrontier(ctx.engine.db, seen, ids, { direction: 'both' });
  const now = ctx.clock.now();
  const best = new Map<string, Neighbour>();
  for (const row of rows) {
    if (pinned.has(row.to)) continue;
    const undiminished = row.pinned || pinned.get(row.from) === true;
    const strength = strengthOf(effectiveWeight(row, undiminished, now));
    if (strength > (best.get(row.to)?.strength ?? 0)) {
      best.set(row.to, { id: row.to, from: row.from, strength });
    }
  }
  return [...best.values()]
    .sort((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1))
    .slice(0, limits.graphNodesMax);
}

/** Two memories in no order; `low` is the smaller id. */
export interface Pair {
  readonly low: string;
  readonly high: string;
}

export const pairOf = (a: string, b: string): Pair =>
  a < b ? { low: a, high: b } : { low: b, high: a };
export const pairKey = ({ low, high }: Pair): string => `${low} ${high}`;

const changes = ['weight', 'usage_count', 'last_reinforced_at'];

/** Reinforces every relationship between these memories; returns the pairs that have one. */
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
    if (!both) return [];
    return [{ both, record, after: reinforced(amount)(record, isPinned(both), now) }];
  });
  if (moved.length > 0) {
    await saveReinforced(
      tx,
      actor.accountId,
      moved.map(({ after }) => after),
    );
  }
  for (const { both, record, after } of moved) {
    const told = { before: present(record, both, now), after: present(after, both, now), changes };
    tellUpdated(inTx, both, told);
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
