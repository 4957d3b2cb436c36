import type { Relationship } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { visibleMemoryIds } from '../memories/index.ts';
import { effectiveWeight, presentRelationship } from './model.ts';
import { findLinksFrom, type LinkEndpoints, listWeightsAfter } from './store/edges.ts';
import { findRelationships } from './store/relationships.ts';

const sourcesPerQuery = 20;
const pageRows = 100;

/**
 * Relationships from one of `sources` to one of `among`, both active and visible: in the order of
 * the sources, then oldest first, in pages of at most 100.
 */
export async function* relationshipsAmong(
  ctx: Ctx,
  among: ReadonlySet<string>,
  sources: readonly string[],
): AsyncGenerator<Relationship[]> {
  const { db } = ctx.engine;
  const { accountId } = ctx.actor;
  for (let from = 0; from < sources.length; from += sourcesPerQuery) {
    const batch = sources.slice(from, from + sourcesPerQuery);
    const bySource = Map.groupBy(
      await findLinksFrom(db, accountId, batch),
      (link) => link.source_id,
    );
    const within = batch.flatMap((id) =>
      (bySource.get(id) ?? [])
        .filter(({ target_id }) => among.has(target_id))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (let offset = 0; offset < within.length; offset += pageRows) {
      const page = await presentVisible(ctx, within.slice(offset, offset + pageRows));
      if (page.length > 0) yield page;
    }
  }
}

/** In the same order; omits relationships that are deleted, inactive or no longer visible. */
async function presentVisible(
  ctx: Ctx,
  endpoints: readonly LinkEndpoints[],
): Promise<Relationship[]> {
  const ids = endpoints.map(({ id }) => id);
  const links = await findRelationships(ctx.engine.db, ctx.actor.accountId, ids);
  const linksById = new Map(links.map((link) => [link.id, link]));
  const memoryIds = endpoints.flatMap(({ source_id, target_id }) => [source_id, target_id]);
  const visible = await visibleMemoryIds(ctx, memoryIds);
  const now = ctx.clock.now();
  return endpoints.flatMap(({ id, source_id, target_id }) => {
    const link = linksById.get(id);
    if (!link || !visible.has(source_id) || !visible.has(target_id)) return [];
    return [presentRelationship(link, now)];
  });
}

/** A relationship as an edge, with its weight after decay. */
interface WeightedEdge {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
}

const edgePageSize = 1_000;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** All relationships of the account, in pages; the caller must check their memories. */
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
