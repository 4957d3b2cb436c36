import { limits, type Relationship, type RelationshipName } from '@mneme/contract';
import type { Ctx, TxCtx } from '../ctx.ts';
import { lockEnds, visibleIds } from '../memories/index.ts';
import { linkAll } from './create.ts';
import { groundOf } from './ground.ts';
import { presentRelationship, reinforced } from './model.ts';
import { idsFrom, lockAmong, type Start, saveReinforced } from './store/among.ts';
import { bare, hyphenated } from './store/frontier.ts';
import { findRelationships } from './store.ts';
import { endsOf, tellUpdated } from './tell.ts';
import { type Edge, firstSeen } from './walk.ts';

const sourcesAtOnce = 20;
const pageRows = 100;

/**
 * Relationships that begin at one of `sources` and end at one of `among`, both active and visible:
 * in the order of the sources, then the oldest first, in pages of at most 100.
 */
export async function* linksAmong(
  ctx: Ctx,
  among: ReadonlySet<string>,
  sources: readonly string[],
): AsyncGenerator<Relationship[]> {
  const { db } = ctx.engine;
  const { accountId } = ctx.actor;
  for (let from = 0; from < sources.length; from += sourcesAtOnce) {
    const some = sources.slice(from, from + sourcesAtOnce);
    const bySource = Map.groupBy(await idsFrom(db, accountId, some), (start) => start.source_id);
    const within = some.flatMap((id) =>
      (bySource.get(id) ?? [])
        .filter(({ target_id }) => among.has(target_id))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (let at = 0; at < within.length; at += pageRows) {
      const page = await shownOf(ctx, within.slice(at, at + pageRows));
      if (page.length > 0) yield page;
    }
  }
}

/** In the given order; without what is gone, or rests, or may not be seen by now. */
async function shownOf(ctx: Ctx, starts: readonly Start[]): Promise<Relationship[]> {
  const ids = starts.map(({ id }) => id);
  const links = await findRelationships(ctx.engine.db, ctx.actor.accountId, ids);
  const known = new Map(links.map((link) => [link.id, link]));
  const ends = starts.flatMap(({ source_id, target_id }) => [source_id, target_id]);
  const seen = await visibleIds(ctx, ends);
  const now = ctx.clock.now();
  return starts.flatMap(({ id, source_id, target_id }) => {
    const link = known.get(id);
    if (!link || !seen.has(source_id) || !seen.has(target_id)) return [];
    return [presentRelationship(link, now)];
  });
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
  starts: readonly { readonly id: string }[],
): Promise<Neighbour[]> {
  if (starts.length === 0) return [];
  const ids = starts.map(({ id }) => id);
  const ground = groundOf(ctx, { direction: 'both' }, ctx.clock.now());
  const known = new Set(ids.map(bare));
  const best = new Map<string, Edge>();
  const { edges } = await ground.edges(ids, null);
  for (const edge of edges) {
    if (known.has(edge.to) || edge.strength <= (best.get(edge.to)?.strength ?? 0)) continue;
    best.set(edge.to, edge);
  }
  const ordered = [...best.values()].sort(
    (a, b) => b.strength - a.strength || (a.to < b.to ? -1 : 1),
  );
  const { first } = await firstSeen(ordered, ({ to }) => to, ground.seen, limits.graphNodesMax);
  return first.map(({ from, to, strength }) => ({
    id: hyphenated(to),
    from: hyphenated(from),
    strength,
  }));
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
