import { type Answer, type Checked, limits, type routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import { presentListed } from './model.ts';
import { knownEntity, seenBy } from './read.ts';
import { findListed } from './store/entities.ts';
import { allSaid, among, edgesById, type Links, nearest, steps } from './store/links.ts';
import { type EntityPath, type Ground, neighbourhood, shortestPath } from './walk.ts';

type Subgraph = Answer<typeof routes.knowledge.subgraph>;
type Path = Answer<typeof routes.knowledge.path>;
type Listed = Path['nodes'][number];

/** A path is looked for among so many entities at most. */
const pathNodesMax = 20_000;

const linksNow = (ctx: Ctx): Links => ({
  db: ctx.engine.db,
  seen: seenBy(ctx),
  now: ctx.clock.now(),
  saidOnly: false,
});

const groundOf = (links: Links): Ground => ({
  nearest: (frontier, taken, countMax) => nearest(links, frontier, taken, countMax),
  among: (ids) => among(links, ids),
  steps: (frontier) => steps(links, frontier),
});

/**
 * Searches as if all facts were said by memories that may be seen, as nearly all are, and looks at
 * those of the answer alone. Where one is not, all is searched again with each fact looked at.
 */
async function surely<T>(
  links: Links,
  search: (ground: Ground) => Promise<T>,
  isSound: (answer: T) => Promise<boolean>,
): Promise<T> {
  const answer = await search(groundOf(links));
  if (await isSound(answer)) return answer;
  return search(groundOf({ ...links, saidOnly: true }));
}

const isSoundWay = async (links: Links, way: EntityPath | null): Promise<boolean> =>
  way === null || allSaid(links, way.edges);

async function listedById(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Listed>> {
  const records = await findListed(ctx.engine.db, ctx.actor.accountId, ids);
  return new Map(records.map((record) => [record.id, presentListed(record)]));
}

/** What is around an entity, nearest first. */
export async function readSubgraph(
  ctx: Ctx,
  id: string,
  query: Checked<typeof routes.knowledge.subgraph>['query'],
): Promise<Subgraph> {
  const { record } = await knownEntity(ctx, id);
  const links = linksNow(ctx);
  const extent = { hops: query.hops, nodesMax: limits.graphNodesMax };
  const { hops, edges, truncated } = await surely(
    links,
    (ground) => neighbourhood(record.id, ground, extent),
    async ({ isSound }) => isSound,
  );
  const listed = await listedById(ctx, [...hops.keys()]);
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
  query: Checked<typeof routes.knowledge.path>['query'],
): Promise<Path> {
  const { record: from } = await knownEntity(ctx, query.from);
  const { record: to } = await knownEntity(ctx, query.to);
  const links = linksNow(ctx);
  const extent = { maxHops: query.maxHops, nodesMax: pathNodesMax };
  const found = await surely(
    links,
    (ground) => shortestPath(from.id, to.id, ground, extent),
    (way) => isSoundWay(links, way),
  );
  if (found === null) {
    throw new AppError('not_found', {
      message: `There is no path of at most ${query.maxHops} hops.`,
      details: { code: 'no_path' },
    });
  }
  const listed = await listedById(ctx, found.nodes);
  return {
    from: from.id,
    to: to.id,
    length: found.edges.length,
    nodes: found.nodes.flatMap((id) => listed.get(id) ?? []),
    edges: await edgesById(links, found.edges),
  };
}
