import type { Db } from '../../database/index.ts';
import { inSpaces } from '../ctx.ts';
import { visibleMemoriesSubquery } from '../memories/index.ts';
import type { GraphView } from './graph-view.ts';
import type { EntityRecord } from './model.ts';
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
  factsOfEntities,
  type MentionScope,
  mentionsInMemories,
  mentionsOfEntities,
} from './store/neighbourhood.ts';
import {
  aliasesOf,
  isEntityVisible,
  listEntities,
  listFacts,
  resolveEntity,
  type Visibility,
} from './store/read.ts';
import { countEntitiesByCategory, entitiesAt, entityTimeline } from './store/temporal-queries.ts';
import {
  type AdjacencyReader,
  type EntityPath,
  findNeighbourhood,
  findShortestPath,
  pathNodesMax,
} from './walk.ts';

/** The stored graph of an account, in the visible spaces. */
export function createAccountView(db: Db, scope: Visibility, now: Date): GraphView {
  const { accountId } = scope;
  const links: LinkQuery = { db, visibility: scope, now, supportedOnly: false };
  const mentions: MentionScope = {
    visibility: scope,
    memories: visibleMemoriesSubquery(accountId, inSpaces(scope.visible)),
  };
  return {
    async findEntity(id, knownAt) {
      const record = await resolveEntity(db, accountId, id, knownAt);
      if (!record || !isInVisibleSpace(scope, record)) return record;
      return (await isEntityVisible(db, scope, record.id)) ? record : undefined;
    },
    listEntities: (filter, page) => listEntities(db, scope, filter, page),
    countByCategory: (filter) => countEntitiesByCategory(db, scope, filter),
    listEntitiesAt: (filter, page) => entitiesAt(db, scope, filter, page),
    findEntities: (ids) => findEntitySummaries(db, accountId, ids),
    listAliases: async ({ id }) => (await aliasesOf(db, accountId, [id])).get(id) ?? [],
    listFacts: (filter, page) => listFacts(db, scope, filter, page),
    readTimeline: (entity, page) => entityTimeline(db, scope, entity, page),
    findNeighbourhood: (id, bounds) =>
      searchWithVerification(
        links,
        (adjacency) => findNeighbourhood(id, adjacency, bounds),
        async ({ isSupported }) => isSupported,
      ),
    listMentionsIn: (ids, filter) => mentionsInMemories(db, mentions, ids, filter),
    listMentionsOf: (ids, filter) => mentionsOfEntities(db, mentions, ids, filter),
    listLinks: (ids, filter) => factsOfEntities(db, scope, ids, filter),
    async findPath(from, to, maxHops) {
      const bounds = { maxHops, nodesMax: pathNodesMax };
      const path = await searchWithVerification(
        links,
        (adjacency) => findShortestPath(from, to, adjacency, bounds),
        (one) => isPathSupported(links, one),
      );
      return path && { nodes: path.nodes, edges: await edgesById(links, path.edges) };
    },
  };
}

const isInVisibleSpace = ({ visible }: Visibility, { space_id }: EntityRecord): boolean =>
  visible === null || visible.includes(space_id ?? 'default');

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
