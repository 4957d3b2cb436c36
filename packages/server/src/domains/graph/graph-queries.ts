import { limits, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import { presentEntitySummary } from './model.ts';
import { requireEntity, visibilityOf } from './read.ts';
import { findEntitySummaries } from './store/entities.ts';
import {
  areAllSupported,
  edgesAmong,
  edgesById,
  type LinkQuery,
  nearestLinked,
  stepsFrom,
} from './store/links.ts';
import { type Adjacency, type EntityPath, neighbourhood, shortestPath } from './walk.ts';

type Subgraph = ResponseBody<typeof routes.knowledge.subgraph>;
type Path = ResponseBody<typeof routes.knowledge.path>;
type EntitySummary = Path['nodes'][number];

/** A path is looked for among so many entities at most. */
const pathNodesMax = 20_000;

const currentLinks = (ctx: Ctx): LinkQuery => ({
  db: ctx.engine.db,
  visibility: visibilityOf(ctx),
  now: ctx.clock.now(),
  supportedOnly: false,
});

const createAdjacency = (links: LinkQuery): Adjacency => ({
  nearest: (frontier, taken, countMax) => nearestLinked(links, frontier, taken, countMax),
  among: (ids) => edgesAmong(links, ids),
  steps: (frontier) => stepsFrom(links, frontier),
});

/**
 * Searches as if all facts were said by memories that may be seen, as nearly all are, and looks at
 * those of the answer alone. Where one is not, all is searched again with each fact looked at.
 */
async function searchWithVerification<T>(
  links: LinkQuery,
  search: (ground: Adjacency) => Promise<T>,
  isSound: (answer: T) => Promise<boolean>,
): Promise<T> {
  const answer = await search(createAdjacency(links));
  if (await isSound(answer)) return answer;
  return search(createAdjacency({ ...links, supportedOnly: true }));
}

const isPathSupported = async (links: LinkQuery, way: EntityPath | null): Promise<boolean> =>
  way === null || areAllSupported(links, way.edges);

async function loadSummaries(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, EntitySummary>> {
  const records = await findEntitySummaries(ctx.engine.db, ctx.actor.accountId, ids);
  return new Map(records.map((record) => [record.id, presentEntitySummary(record)]));
}

/** What is around an entity, nearest first. */
export async function readSubgraph(
  ctx: Ctx,
  id: string,
  query: ValidatedRequest<typeof routes.knowledge.subgraph>['query'],
): Promise<Subgraph> {
  const { record } = await requireEntity(ctx, id);
  const links = currentLinks(ctx);
  const extent = { hops: query.hops, nodesMax: limits.graphNodesMax };
  const { hops, edges, truncated } = await searchWithVerification(
    links,
    (ground) => neighbourhood(record.id, ground, extent),
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

/** Throws 404 not_found with details.code no_path where there is none within maxHops. */
export async function readPath(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.knowledge.path>['query'],
): Promise<Path> {
  const { record: from } = await requireEntity(ctx, query.from);
  const { record: to } = await requireEntity(ctx, query.to);
  const links = currentLinks(ctx);
  const extent = { maxHops: query.maxHops, nodesMax: pathNodesMax };
  const found = await searchWithVerification(
    links,
    (ground) => shortestPath(from.id, to.id, ground, extent),
    (way) => isPathSupported(links, way),
  );
  if (found === null) {
    throw new AppError('not_found', {
      message: `There is no path of at most ${query.maxHops} hops.`,
      details: { code: 'no_path' },
    });
  }
  const listed = await loadSummaries(ctx, found.nodes);
  return {
    from: from.id,
    to: to.id,
    length: found.edges.length,
    nodes: found.nodes.flatMap((id) => listed.get(id) ?? []),
    edges: await edgesById(links, found.edges),
  };
}
