import type { GraphEdge } from './neighbourhood.ts';
import { compareText, matchesFactFilter, type OwnedFact } from './owned-facts.ts';
import type { EdgeFilter } from './store/neighbourhood.ts';
import type { AdjacencyReader, EntityEdge, FoundEdge, TraversalStep } from './walk.ts';

/** The links that hold at a time, of entities that are read when a traversal reaches them. */
export interface OwnedLinks extends AdjacencyReader {
  /** Links that the traversal found, in that order. */
  edgesById(ids: readonly string[]): EntityEdge[];
}

/** @param readFacts the believed facts about some entities */
export function createOwnedLinks(
  readFacts: (entityIds: readonly string[]) => Promise<readonly OwnedFact[]>,
  now: Date,
): OwnedLinks {
  const edges = new Map<string, FoundEdge>();
  const adjacent = new Map<string, FoundEdge[]>();
  const read = async (ids: readonly string[]): Promise<void> => {
    const unread = ids.filter((id) => !adjacent.has(id));
    if (unread.length === 0) return;
    const wanted = new Set(unread);
    for (const id of unread) adjacent.set(id, []);
    for (const fact of await readFacts(unread)) {
      const edge = toEdge(fact, now);
      if (edge === undefined) continue;
      edges.set(edge.id, edge);
      for (const end of [edge.source_id, edge.target_id]) {
        if (wanted.has(end)) adjacent.get(end)?.push(edge);
      }
    }
  };
  const steps = async (frontier: readonly string[]): Promise<TraversalStep[]> => {
    await read(frontier);
    return frontier
      .flatMap((near) =>
        (adjacent.get(near) ?? []).map(({ id, source_id, target_id }) => ({
          id,
          near,
          far: source_id === near ? target_id : source_id,
        })),
      )
      .sort((a, b) => compareText(a.id, b.id));
  };
  return {
    steps,
    async nearest(frontier, visited, countMax) {
      const isVisited = new Set(visited);
      const weights = new Map<string, number>();
      for (const { id, far } of await steps(frontier)) {
        if (isVisited.has(far)) continue;
        weights.set(far, Math.max(weights.get(far) ?? 0, edges.get(id)?.weight ?? 0));
      }
      return [...weights]
        .map(([id, weight]) => ({ id, weight }))
        .sort((a, b) => b.weight - a.weight || compareText(a.id, b.id))
        .slice(0, countMax);
    },
    async among(ids) {
      await read(ids);
      const wanted = new Set(ids);
      return [...edges.values()]
        .filter(({ source_id, target_id }) => wanted.has(source_id) && wanted.has(target_id))
        .sort((a, b) => compareText(a.id, b.id));
    },
    edgesById: (ids) => ids.flatMap((id) => edges.get(id) ?? []).map(({ said, ...edge }) => edge),
  };
}

function toEdge(fact: OwnedFact, now: Date): FoundEdge | undefined {
  const isCurrent = matchesFactFilter(fact, { asOf: now, knownAt: now });
  if (!isCurrent || fact.object_id === null) return undefined;
  return {
    id: fact.id,
    source_id: fact.subject_id,
    target_id: fact.object_id,
    relationship_type: fact.predicate,
    weight: fact.confidence,
    said: true,
  };
}

/** Of each of these entities and directions the surest links that match a filter, then by id. */
export function strongestOwnedLinks(
  facts: readonly OwnedFact[],
  entityIds: readonly string[],
  { now, asOf = now, knownAt = now, predicates, entityTypes, countMax }: EdgeFilter,
  typeById: ReadonlyMap<string, string>,
): GraphEdge[] {
  const matching = facts
    .filter((fact) => matchesFactFilter(fact, { asOf, knownAt, relationshipsOnly: true }))
    .filter(({ predicate }) => predicates?.includes(predicate) ?? true)
    .sort((a, b) => b.confidence - a.confidence || compareText(a.id, b.id));
  const isOfType = (id: string | null): boolean =>
    entityTypes?.includes(typeById.get(id ?? '') ?? '') ?? true;
  const bySubject = Map.groupBy(matching, ({ subject_id }) => subject_id);
  const byObject = Map.groupBy(matching, ({ object_id }) => object_id);
  return entityIds.flatMap((id) => {
    const outgoing = (bySubject.get(id) ?? []).filter(({ object_id }) => isOfType(object_id));
    const incoming = (byObject.get(id) ?? []).filter(({ subject_id }) => isOfType(subject_id));
    return [...outgoing.slice(0, countMax), ...incoming.slice(0, countMax)].map(toGraphEdge);
  });
}

const toGraphEdge = (fact: OwnedFact): GraphEdge => ({
  kind: 'fact',
  id: fact.id,
  source: { id: fact.subject_id, isMemory: false },
  target: { id: fact.object_id ?? '', isMemory: false },
  type: fact.predicate,
  weight: fact.confidence,
  validFrom: fact.valid_from,
  validTo: fact.valid_to,
});
