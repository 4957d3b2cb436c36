import { limits, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import { presentEntitySummary } from './model.ts';
import { requireEntity, visibilityOf } from './read.ts';
import { findEntitySummaries } from './store/entities.ts';
import {
  areAllFactsSupported,
  edgesAmong,
  edgesById,
  type LinkQuery,
  nearestLinkedEntities,
  traversalStepsFrom,
} from './store/links.ts';
import {
  type AdjacencyReader,
  type EntityPath,
  findNeighbourhood,
  findShortestPath,
} from './walk.ts';

type Subgraph = ResponseBody<typeof routes.knowledge.subgraph>;
type Path = ResponseBody<typeof routes.knowledge.path>;
type EntitySummary = Path['nodes'][number];

/** Maximum number of entities visited by a path search. */
const pathNodesMax = 20_000;

const currentLinks = (ctx: Ctx): LinkQuery => ({
  db: ctx.engine.db,
  visibility: visibilityOf(ctx),
  now: ctx.clock.now(),
  supportedOnly: false,
});

const createAdjacency = (links: LinkQuery): AdjacencyReader => ({
  nearest: (frontier, visited, countMax) =>
    nearestLinkedEntities(links, frontier, visited, countMax),
  among: (ids) => edgesAmong(links, ids),
  steps: (frontier) => traversalStepsFrom(links, frontier),
});

/**
 * Searches as if all facts had a visible source, as nearly all do, and verifies only those in the
 * result. If one has none, it searches again and verifies each fact.
 */
async function searchWithVerification<T>(
  links: LinkQuery,
  search: (adjacency: AdjacencyReader) => Promise<T>,
  isSound: (result: T) => Promise<boolean>,
): Promise<T> {
  const answer = await search(createAdjacency(links));
  if (await isSound(answer)) return answer;
  return search(createAdjacency({ ...links, supportedOnly: true }));
}

const isPathSupported = async (links: LinkQuery, path: EntityPath | null): Promise<boolean> =>
  path === null || areAllFactsSupported(links, path.edges);

async function loadSummaries(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, EntitySummary>> {
  const records = await findEntitySummaries(ctx.engine.db, ctx.actor.accountId, ids);
  return new Map(records.map((record) => [record.id, presentEntitySummary(record)]));
}

/** The neighbourhood of an entity, nearest first. */
export async function readSubgraph(
  ctx: Ctx,
  id: string,
  query: ValidatedRequest<typeof routes.knowledge.subgraph>['query'],
): Promise<Subgraph> {
  const { record } = await requireEntity(ctx, id);
  const links = currentLinks(ctx);
  const bounds = { hops: query.hops, nodesMax: limits.graphNodesMax };
  const { hops, edges, truncated } = await searchWithVerification(
    links,
    (adjacency) => findNeighbourhood(record.id, adjacency, bounds),
    async ({ isSupported }) => isSupported,
  );
  const listed = await loadSummaries(ctx, [...hops.keys()]);
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
  const { record: from } = await requireEntity(ctx, query.from);
  const { record: to } = await requireEntity(ctx, query.to);
  const links = currentLinks(ctx);
  const bounds = { maxHops: query.maxHops, nodesMax: pathNodesMax };
  const result = await searchWithVerification(
    links,
    (adjacency) => findShortestPath(from.id, to.id, adjacency, bounds),
    (path) => isPathSupported(links, path),
  );
  if (result === null) {
    throw new AppError('not_found', {
      message: `No path of at most ${query.maxHops} hops connects the entities.`,
      details: { code: 'no_path' },
    });
  }
  const listed = await loadSummaries(ctx, result.nodes);
  return {
    from: from.id,
    to: to.id,
    length: result.edges.length,
    nodes: result.nodes.flatMap((id) => listed.get(id) ?? []),
    edges: await edgesById(links, result.edges),
  };
}
