import type { Relationship } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { visibleIds } from '../memories/index.ts';
import { effectiveWeight, presentRelationship } from './model.ts';
import { findLinksFrom, type LinkEndpoints, listWeightsAfter } from './store/edges.ts';
import { findRelationships } from './store/relationships.ts';

const sourcesPerQuery = 20;
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
  for (let from = 0; from < sources.length; from += sourcesPerQuery) {
    const some = sources.slice(from, from + sourcesPerQuery);
    const bySource = Map.groupBy(
      await findLinksFrom(db, accountId, some),
      (start) => start.source_id,
    );
    const within = some.flatMap((id) =>
      (bySource.get(id) ?? [])
        .filter(({ target_id }) => among.has(target_id))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (let at = 0; at < within.length; at += pageRows) {
      const page = await presentVisible(ctx, within.slice(at, at + pageRows));
      if (page.length > 0) yield page;
    }
  }
}

/** In the given order; without what is gone, or rests, or may not be seen by now. */
async function presentVisible(ctx: Ctx, starts: readonly LinkEndpoints[]): Promise<Relationship[]> {
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

/** A relationship by its ends and what decay has left of its weight. */
interface WeightedEdge {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
}

const edgePageSize = 1_000;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Every relationship of the account, page by page; whoever asks looks who is at its ends. */
export async function* listWeightedEdges(ctx: Ctx): AsyncGenerator<WeightedEdge[]> {
  const { engine, actor, clock } = ctx;
  const now = clock.now();
  for (let after = nilUuid; ; ) {
    const rows = await listWeightsAfter(engine.db, actor.accountId, after, edgePageSize);
    yield rows.map((row) => ({
      from: row.source_id,
      to: row.target_id,
      weight: effectiveWeight(row, now),
    }));
    const last = rows.at(-1);
    if (!last || rows.length < edgePageSize) return;
    after = last.id;
  }
}
