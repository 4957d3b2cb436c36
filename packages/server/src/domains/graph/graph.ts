import { type Answer, type Checked, limits, type routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';
import { presentListed } from './model.ts';
import { knownEntity, seenBy } from './read.ts';
import { findEntities } from './store/entities.ts';
import { type EntityEdge, edgesAt } from './store/read.ts';
import { neighbourhood, shortestPath } from './walk.ts';

type Subgraph = Answer<typeof routes.knowledge.subgraph>;
type Path = Answer<typeof routes.knowledge.path>;
type Listed = Path['nodes'][number];

/** A path is looked for among so many entities at most. */
const pathNodesMax = 20_000;

const edgesNow = (ctx: Ctx): ((frontier: readonly string[]) => Promise<EntityEdge[]>) => {
  const now = ctx.clock.now();
  return (frontier) => edgesAt(ctx.engine.db, seenBy(ctx), frontier, now);
};

async function listedById(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Listed>> {
  const records = await findEntities(ctx.engine.db, ctx.actor.accountId, ids);
  return new Map(records.map((record) => [record.id, presentListed(record)]));
}

/** What is around an entity, nearest first. */
export async function readSubgraph(
  ctx: Ctx,
  id: string,
  query: Checked<typeof routes.knowledge.subgraph>['query'],
): Promise<Subgraph> {
  const { record } = await knownEntity(ctx, id);
  const { hops, edges, truncated } = await neighbourhood(record.id, edgesNow(ctx), {
    hops: query.hops,
    nodesMax: limits.graphNodesMax,
  });
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
  const found = await shortestPath(from.id, to.id, edgesNow(ctx), {
    maxHops: query.maxHops,
    nodesMax: pathNodesMax,
  });
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
    edges: [...found.edges],
  };
}
