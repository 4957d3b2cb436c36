import { limits, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import { graphViewOf } from './caller-view.ts';
import type { GraphView } from './graph-view.ts';
import { presentEntitySummary } from './model.ts';
import { requireEntity } from './read.ts';

type Subgraph = ResponseBody<typeof routes.knowledge.subgraph>;
type Path = ResponseBody<typeof routes.knowledge.path>;
type EntitySummary = Path['nodes'][number];

async function loadSummaries(
  view: GraphView,
  ids: readonly string[],
): Promise<Map<string, EntitySummary>> {
  const records = await view.findEntities(ids);
  return new Map(records.map((record) => [record.id, presentEntitySummary(record)]));
}

/** The neighbourhood of an entity, nearest first. */
export async function readSubgraph(
  ctx: Ctx,
  id: string,
  query: ValidatedRequest<typeof routes.knowledge.subgraph>['query'],
): Promise<Subgraph> {
  const view = graphViewOf(ctx, query);
  const { record } = await requireEntity(ctx, view, id);
  const bounds = { hops: query.hops, nodesMax: limits.graphNodesMax };
  const { hops, edges, truncated } = await view.findNeighbourhood(record.id, bounds);
  const listed = await loadSummaries(view, [...hops.keys()]);
  return {
    root: record.id,
    nodes: [...hops].flatMap(([entityId, distance]) => {
      const entity = listed.get(entityId);
      return entity ? [{ ...entity, hops: distance }] : [];
    }),
    edges: query.includeRelationships ? [...edges] : [],
    truncated,
  };
}

/** Throws 404 not_found with details.code no_path if there is no path within maxHops. */
export async function readPath(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.knowledge.path>['query'],
): Promise<Path> {
  const view = graphViewOf(ctx, query);
  const { record: from } = await requireEntity(ctx, view, query.from);
  const { record: to } = await requireEntity(ctx, view, query.to);
  const result = await view.findPath(from.id, to.id, query.maxHops);
  if (result === null) {
    throw new AppError('not_found', {
      message: `No path of at most ${query.maxHops} hops connects the entities.`,
      details: { code: 'no_path' },
    });
  }
  const listed = await loadSummaries(view, result.nodes);
  return {
    from: from.id,
    to: to.id,
    length: result.edges.length,
    nodes: result.nodes.flatMap((id) => listed.get(id) ?? []),
    edges: [...result.edges],
  };
}
