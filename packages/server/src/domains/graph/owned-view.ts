import type { ResponseBody, routes } from '@mneme/contract';
import type { Db } from '../../database/index.ts';
import type { GraphView } from './graph-view.ts';
import { type EntityRecord, presentFact } from './model.ts';
import { compareText, deriveOwnedFacts, matchesFactFilter, type OwnedFact } from './owned-facts.ts';
import { createOwnedLinks, strongestOwnedLinks } from './owned-links.ts';
import {
  type EdgeFilter,
  type MentionScope,
  mentionsInMemories,
  mentionsOfEntities,
} from './store/neighbourhood.ts';
import { type AssertionSelection, ownedAssertions } from './store/owned-assertions.ts';
import {
  countOwnedByCategory,
  findOwnedEntities,
  listOwnedEntities,
  type OwnedScope,
  ownedEntitiesAt,
  ownedMemories,
} from './store/owned-entities.ts';
import { resolveEntity } from './store/read.ts';
import { findNeighbourhood, findShortestPath, pathNodesMax } from './walk.ts';

/**
 * The graph that some memories alone give. Names, times and facts are derived from what they say;
 * only which names are one entity, and its type, is common to all memories of a space.
 */
export function createOwnedView(db: Db, scope: OwnedScope): GraphView {
  const { accountId, now } = scope;
  const readFacts = async (selection: AssertionSelection): Promise<OwnedFact[]> => {
    const assertions = await ownedAssertions(db, scope, selection);
    const ends = assertions.flatMap(({ subject_id, object_id }) => [
      subject_id,
      ...(object_id === null ? [] : [object_id]),
    ]);
    const entities = await findOwnedEntities(db, scope, [...new Set(ends)]);
    return deriveOwnedFacts(accountId, assertions, entities);
  };
  const createLinks = () =>
    createOwnedLinks((entityIds) => readFacts({ entityIds, believedOnly: true }), now);
  const mentions: MentionScope = {
    visibility: { accountId, visible: scope.visible.spaces },
    memories: ownedMemories(scope),
  };
  return {
    async findEntity(id, knownAt) {
      const record = await resolveEntity(db, accountId, id, knownAt);
      // Of a merged entity, both must be mentioned: a merge adds nothing to see.
      const owned = await findOwnedEntities(db, scope, record ? [id, record.id] : []);
      return owned.has(id) ? owned.get(record?.id ?? id) : undefined;
    },
    listEntities: (filter, page) => listOwnedEntities(db, scope, filter, page),
    countByCategory: (filter) => countOwnedByCategory(db, scope, filter),
    listEntitiesAt: (filter, page) => ownedEntitiesAt(db, scope, filter, page),
    findEntities: async (ids) => [...(await findOwnedEntities(db, scope, ids)).values()],
    async listAliases({ id, name }) {
      const names = (await findOwnedEntities(db, scope, [id])).get(id)?.names ?? [];
      return names.filter((one) => one !== name).sort(compareText);
    },
    async listFacts(filter, { limit, offset }) {
      const { entityIds, memoryId, predicate } = filter;
      const selection = { entityIds, memoryId, predicate, believedOnly: false };
      const facts = (await readFacts(selection))
        .filter((fact) => matchesFactFilter(fact, filter))
        .sort(
          (a, b) => b.recorded_at.getTime() - a.recorded_at.getTime() || compareText(b.id, a.id),
        );
      return { facts: facts.slice(offset, offset + limit), total: facts.length };
    },
    async readTimeline(entity, { limit, offset }) {
      const filter = { entityIds: [entity.id], knownAt: null };
      const facts = (await readFacts({ entityIds: [entity.id], believedOnly: false })).filter(
        (fact) => matchesFactFilter(fact, filter),
      );
      const entries = toTimeline(entity, facts);
      return { entries: entries.slice(offset, offset + limit), total: entries.length };
    },
    findNeighbourhood: (id, bounds) => findNeighbourhood(id, createLinks(), bounds),
    listMentionsIn: (ids, filter) => mentionsInMemories(db, mentions, ids, filter),
    listMentionsOf: (ids, filter) => mentionsOfEntities(db, mentions, ids, filter),
    listLinks: async (ids, filter) => {
      const selection = { entityIds: ids, believedOnly: filter.knownAt === undefined };
      const facts = await readFacts(selection);
      return strongestOwnedLinks(facts, ids, filter, await findTypes(db, scope, facts, filter));
    },
    async findPath(from, to, maxHops) {
      const links = createLinks();
      const path = await findShortestPath(from, to, links, { maxHops, nodesMax: pathNodesMax });
      return path && { nodes: path.nodes, edges: links.edgesById(path.edges) };
    },
  };
}

/** The types of the entities of facts, by id; empty if the filter does not need them. */
async function findTypes(
  db: Db,
  scope: OwnedScope,
  facts: readonly OwnedFact[],
  { entityTypes }: EdgeFilter,
): Promise<ReadonlyMap<string, string>> {
  if (entityTypes === undefined) return new Map();
  const ids = facts.flatMap(({ subject_id, object_id }) => [subject_id, object_id ?? subject_id]);
  const entities = await findOwnedEntities(db, scope, [...new Set(ids)]);
  return new Map([...entities].map(([id, { type }]) => [id, type]));
}

type Entry = ResponseBody<typeof routes.knowledge.timeline>['entries'][number];

/** Without merges and changes of the name, which tell the names that others use. */
function toTimeline(entity: EntityRecord, facts: readonly OwnedFact[]): Entry[] {
  const created = { at: entity.created_at.toISOString(), kind: 'entity_created' as const };
  const ofFacts = facts.flatMap((one) => {
    const fact = presentFact(one);
    const entry = { fact, detail: one.statement };
    const added = { ...entry, at: fact.recorded_at, kind: 'fact_added' as const };
    return fact.invalidated_at === null
      ? [added]
      : [added, { ...entry, at: fact.invalidated_at, kind: 'fact_invalidated' as const }];
  });
  ofFacts.sort(
    (a, b) =>
      compareText(a.at, b.at) || compareText(a.kind, b.kind) || compareText(a.fact.id, b.fact.id),
  );
  return [{ ...created, detail: entity.name }, ...ofFacts];
}
