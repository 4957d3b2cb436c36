import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { toPagination } from '../../../kernel/pagination.ts';
import { type App, type Ctx, visibilityOf, visibleSpaces } from '../../ctx.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import { countClusteredMemories, countClusters } from '../store/lists.ts';
import { listRuns, pruneRunRows } from '../store/runs.ts';
import { presentRun } from './present.ts';

/** A limited key sees only runs of its spaces: an account-wide run reads every space. */
export async function listClusterRuns(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.clusters.runs>['query'],
): Promise<ResponseBody<typeof routes.clusters.runs>> {
  const { actor, engine } = ctx;
  const { status, kind, space_id: spaceId } = query;
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
  const filter = { visible: visibleSpaces(actor), status, kind, spaceId };
  const { rows, total } = await listRuns(engine.db, actor.accountId, filter, query);
  return { data: rows.map(presentRun), pagination: toPagination(query, total, rows.length) };
}

/** The most recent run, and the share of clustered memories. */
export async function getClusteringStatus(
  ctx: Ctx,
): Promise<ResponseBody<typeof routes.clusters.status>> {
  const { actor, engine } = ctx;
  const visible = visibleSpaces(actor);
  const newest = { limit: 1, offset: 0 };
  const { rows } = await listRuns(engine.db, actor.accountId, { visible }, newest);
  const [run] = rows;
  const { total, by_type } = await countClusters(engine.db, actor.accountId, visible);
  const seen = visibilityOf(actor);
  const { memories, clustered } = await countClusteredMemories(engine.db, actor.accountId, seen);
  const manual = by_type.manual ?? 0;
  return {
    run: run ? presentRun(run) : null,
    totals: {
      clusters: total,
      manual_clusters: manual,
      automatic_clusters: total - manual,
      memories,
      clustered_memories: clustered,
      unclustered_memories: memories - clustered,
    },
  };
}

/** Deletes runs that ended before a time; returns how many. */
export const pruneRuns = ({ engine }: App, before: Date, rows: number): Promise<number> =>
  pruneRunRows(engine.db, before, rows);
