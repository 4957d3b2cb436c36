import {
  type GraphNodeType,
  limits,
  mentionType,
  type Neighbourhood,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { hasScope } from '../accounts/index.ts';
import { type Ctx, requestedUser } from '../ctx.ts';
import { findMemoryLabels } from '../memories/index.ts';
import { type MemoryLink, requireMemory, strongestLinksOf } from '../relationships/index.ts';
import { graphViewOf } from './caller-view.ts';
import type { GraphView } from './graph-view.ts';
import { presentEntitySummary, presentFact } from './model.ts';
import {
  type GraphEdge,
  type GraphNode,
  type NeighbourhoodNode,
  walkNeighbourhood,
} from './neighbourhood.ts';
import { requireEntity } from './read.ts';
import type { EdgeFilter, MentionRow } from './store/neighbourhood.ts';

type Query = ValidatedRequest<typeof routes.knowledge.neighbourhood>['query'];
type PresentedNode = Neighbourhood['nodes'][number];

/** Edges that are read of the centre and of each other node, of each kind and direction. */
const rootEdgesMax = limits.graphNodesMax;
const nodeEdgesMax = 100;
/** Nodes per statement, so that none blocks others for long. */
const nodesPerStatement = 50;

/**
 * The memories and entities around one of them. Throws 404 not_found, 404 memory_not_found, 403
 * space_access_denied, 403 user_access_denied.
 */
export async function readNeighbourhood(ctx: Ctx, query: Query): Promise<Neighbourhood> {
  const view = graphViewOf(ctx, query);
  const root = await requireCentre(ctx, view, query);
  const readEdges = createEdgeReader(ctx, view, query);
  const { nodes, edges, truncated } = await walkNeighbourhood(
    root,
    (frontier) => readEdges(frontier, frontier[0] === root ? rootEdgesMax : nodeEdgesMax),
    {
      hops: query.depth,
      nodesMax: query.limit,
      edgesMax: query.limit * limits.neighbourhoodEdgesPerNode,
    },
  );
  const presented = await presentNodes(ctx, view, nodes);
  // It has expired since, or was removed.
  if (presented[0]?.id !== root.id) throw notFound(root);
  const listed = new Set(presented.map(({ id }) => id));
  return {
    root: root.id,
    nodes: presented,
    // Without nodes that were removed since they were read.
    edges: edges
      .filter(({ source, target }) => listed.has(source.id) && listed.has(target.id))
      .map(presentEdge),
    truncated,
  };
}

const notFound = ({ isMemory }: GraphNode): AppError =>
  new AppError(isMemory ? 'memory_not_found' : 'not_found');

async function requireCentre(
  ctx: Ctx,
  view: GraphView,
  { memory_id, entity_id, known_at }: Query,
): Promise<GraphNode> {
  if (memory_id !== undefined) {
    return { id: (await requireMemory(ctx, memory_id)).id, isMemory: true };
  }
  const { record } = await requireEntity(ctx, view, entity_id ?? '', known_at);
  return { id: record.id, isMemory: false };
}

/** Reads the edges of nodes that match the query. */
function createEdgeReader(ctx: Ctx, view: GraphView, query: Query) {
  const { as_of: asOf, known_at: knownAt, relationship_types: types, node_types } = query;
  const now = ctx.clock.now();
  const entityTypes = node_types?.filter((type) => type !== 'memory');
  const hasMemories = node_types?.includes('memory') ?? true;
  const hasMentions = types?.includes(mentionType) ?? true;
  const hasRelationships = hasMemories && hasScope(ctx.actor.scopes, 'relationships:read');
  const owner = {
    user_id: requestedUser(ctx.actor, query.user_id),
    agent_id: query.agent_id,
    run_id: query.run_id,
  };
  const readSome = async (nodes: readonly GraphNode[], countMax: number): Promise<GraphEdge[]> => {
    const filter: EdgeFilter = { now, asOf, knownAt, entityTypes, predicates: types, countMax };
    const ids = (isMemory: boolean) =>
      nodes.filter((node) => node.isMemory === isMemory).map(({ id }) => id);
    const [memories, entities] = [ids(true), ids(false)];
    const edges: GraphEdge[] = [];
    if (memories.length > 0 && hasMentions) {
      edges.push(...(await view.listMentionsIn(memories, filter)).map(fromMention));
    }
    if (entities.length > 0 && hasMentions && hasMemories) {
      edges.push(...(await view.listMentionsOf(entities, filter)).map(fromMention));
    }
    if (entities.length > 0) edges.push(...(await view.listLinks(entities, filter)));
    if (memories.length > 0 && hasRelationships) {
      const links = await strongestLinksOf(
        ctx,
        memories,
        { types, owner, asOf, knownAt },
        countMax,
      );
      edges.push(...links.map(fromLink));
    }
    return edges;
  };
  return async (nodes: readonly GraphNode[], countMax: number): Promise<GraphEdge[]> => {
    const edges: GraphEdge[] = [];
    for (let start = 0; start < nodes.length; start += nodesPerStatement) {
      edges.push(...(await readSome(nodes.slice(start, start + nodesPerStatement), countMax)));
    }
    return edges;
  };
}

const fromMention = ({ memory_id, entity_id, weight }: MentionRow): GraphEdge => ({
  kind: 'mention',
  id: null,
  source: { id: memory_id, isMemory: true },
  target: { id: entity_id, isMemory: false },
  type: mentionType,
  weight,
  validFrom: null,
  validTo: null,
});

const fromLink = ({ id, sourceId, targetId, type, strength }: MemoryLink): GraphEdge => ({
  kind: 'relationship',
  id,
  source: { id: sourceId, isMemory: true },
  target: { id: targetId, isMemory: true },
  type,
  weight: strength,
  validFrom: null,
  validTo: null,
});

const presentEdge = (edge: GraphEdge): Neighbourhood['edges'][number] => ({
  id: edge.id,
  kind: edge.kind,
  source_id: edge.source.id,
  target_id: edge.target.id,
  relationship_type: edge.type,
  weight: edge.weight,
  valid_from: edge.validFrom?.toISOString() ?? null,
  valid_to: edge.validTo?.toISOString() ?? null,
});

const labelCharactersMax = 200;

/** In the same order, without what is no longer visible. */
async function presentNodes(
  ctx: Ctx,
  view: GraphView,
  nodes: readonly NeighbourhoodNode[],
): Promise<PresentedNode[]> {
  const ids = (isMemory: boolean) =>
    nodes.filter((node) => node.isMemory === isMemory).map(({ id }) => id);
  const labels = await findMemoryLabels(ctx, ids(true), labelCharactersMax);
  const entities = new Map((await view.findEntities(ids(false))).map((one) => [one.id, one]));
  return nodes.flatMap(({ id, isMemory, hops, hiddenNeighbours }): PresentedNode[] => {
    const node = { id, hops, hidden_neighbours: hiddenNeighbours };
    const add = (type: GraphNodeType, label: string, createdAt: Date): PresentedNode[] => [
      { ...node, type, label, created_at: createdAt.toISOString() },
    ];
    const [memory, entity] = [labels.get(id), entities.get(id)];
    if (isMemory) return memory ? add('memory', memory.label, memory.created_at) : [];
    return entity ? add(entity.type, entity.name, entity.created_at) : [];
  });
}

const factsMax = 200;
const mentionsMax = 1_000;

/** Throws 404 memory_not_found, 403 space_access_denied. */
export async function readMemoryKnowledge(
  ctx: Ctx,
  memoryId: string,
): Promise<ResponseBody<typeof routes.knowledge.ofMemory>> {
  await requireMemory(ctx, memoryId);
  const view = graphViewOf(ctx);
  const now = ctx.clock.now();
  const mentions = await view.listMentionsIn([memoryId], {
    now,
    asOf: undefined,
    knownAt: undefined,
    entityTypes: undefined,
    predicates: undefined,
    countMax: mentionsMax,
  });
  const entities = new Map(
    (await view.findEntities(mentions.map(({ entity_id: id }) => id))).map((one) => [one.id, one]),
  );
  const page = { limit: factsMax, offset: 0 };
  const { facts } = await view.listFacts({ memoryId, knownAt: now }, page);
  return {
    memory_id: memoryId,
    entities: mentions.flatMap(({ entity_id: id, weight }) => {
      const entity = entities.get(id);
      return entity ? [{ ...presentEntitySummary(entity), confidence: weight }] : [];
    }),
    facts: facts.map(presentFact),
  };
}
