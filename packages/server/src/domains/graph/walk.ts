/** A relationship between two entities, as shown in a response. */
export interface EntityEdge {
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly relationship_type: string;
  readonly weight: number;
}

/** An edge of the search; `isSupported`: it has a manual or visible source. */
export interface FoundEdge extends EntityEdge {
  readonly said: boolean;
}

/** An entity and the confidence of its strongest relationship. */
export interface LinkedEntity {
  readonly id: string;
  readonly weight: number;
}

/** One step along a relationship. */
export interface TraversalStep {
  readonly id: string;
  readonly near: string;
  readonly far: string;
}

/** The graph queries of a traversal. Edges have no direction. */
export interface AdjacencyReader {
  /** Unvisited neighbours of a frontier: the most confident first, then by id. */
  nearest(
    frontier: readonly string[],
    visited: readonly string[],
    countMax: number,
  ): Promise<readonly LinkedEntity[]>;
  /** All edges among these entities. */
  among(ids: readonly string[]): Promise<readonly FoundEdge[]>;
  /** All edges that leave a frontier, by id. */
  steps(frontier: readonly string[]): Promise<readonly TraversalStep[]>;
}

export interface Neighbourhood {
  /** Distance of each entity in hops, including the root. */
  readonly hops: ReadonlyMap<string, number>;
  readonly edges: readonly EntityEdge[];
  /** There were more than the limit. */
  readonly truncated: boolean;
  /** Edges without support did not affect the result. */
  readonly isSupported: boolean;
}

/**
 * Finds everything within `hops` of an entity, frontier by frontier, with at most `nodesMax` nodes:
 * the nearest first, among equally near ones those with the most confident link, then by id. The
 * adjacency may contain edges without support. The strongest edge of each visited node is among the
 * edges of the result, and an excluded node could only be linked less strongly. The result is
 * therefore sound if all of its own edges and one edge to the first excluded node are supported.
 */
export async function findNeighbourhood(
  root: string,
  adjacency: AdjacencyReader,
  { hops, nodesMax }: { readonly hops: number; readonly nodesMax: number },
): Promise<Neighbourhood> {
  const visited = new Map([[root, 0]]);
  let firstExcluded: string | undefined;
  let frontier = [root];
  let last = frontier;
  for (let hop = 1; hop <= hops && frontier.length > 0 && firstExcluded === undefined; hop += 1) {
    const remaining = nodesMax - visited.size;
    const discovered = (await adjacency.nearest(frontier, [...visited.keys()], remaining + 1)).map(
      ({ id }) => id,
    );
    last = frontier;
    firstExcluded = discovered[remaining];
    frontier = discovered.slice(0, remaining);
    for (const id of frontier) visited.set(id, hop);
  }
  const found = await adjacency.among([
    ...visited.keys(),
    ...(firstExcluded === undefined ? [] : [firstExcluded]),
  ]);
  const within = found.filter(
    ({ source_id, target_id }) => visited.has(source_id) && visited.has(target_id),
  );
  const lastFrontier = new Set(last);
  const truncated = found.some(
    ({ said, source_id, target_id }) =>
      said &&
      ((source_id === firstExcluded && lastFrontier.has(target_id)) ||
        (target_id === firstExcluded && lastFrontier.has(source_id))),
  );
  return {
    hops: visited,
    edges: within.map(({ said, ...edge }) => edge),
    truncated,
    isSupported: within.every(({ said }) => said) && (firstExcluded === undefined || truncated),
  };
}

/** Maximum number of entities visited by a path search. */
export const pathNodesMax = 20_000;

/** A path from one entity to another. */
export interface EntityPath {
  readonly nodes: readonly string[];
  /** Ids of the edges between them. */
  readonly edges: readonly string[];
}

/** One side of a bidirectional search. */
interface SearchSide {
  /** By entity: the step that reached it; null at the start. */
  readonly reached: Map<string, TraversalStep | null>;
  frontier: readonly string[];
}

const createSide = (id: string): SearchSide => ({ reached: new Map([[id, null]]), frontier: [id] });

/**
 * The shortest path of at most `maxHops`, by bidirectional breadth-first search, the smaller
 * frontier first; of several the one with the smallest ids. Null: there is none, or more than
 * `nodesMax` nodes were visited.
 */
export async function findShortestPath(
  from: string,
  to: string,
  adjacency: Pick<AdjacencyReader, 'steps'>,
  { maxHops, nodesMax }: { readonly maxHops: number; readonly nodesMax: number },
): Promise<EntityPath | null> {
  if (from === to) return { nodes: [from], edges: [] };
  const near = createSide(from);
  const far = createSide(to);
  for (let hops = 0; hops < maxHops; hops += 1) {
    const side = near.frontier.length <= far.frontier.length ? near : far;
    const other = side === near ? far : near;
    const meetingId = await expandFrontier(side, other, adjacency);
    if (meetingId !== null) return joinPaths(near, far, meetingId);
    if (side.frontier.length === 0) return null;
    if (near.reached.size + far.reached.size > nodesMax) return null;
  }
  return null;
}

/** Expands one frontier; returns the entity where both sides meet, or null. */
async function expandFrontier(
  side: SearchSide,
  other: SearchSide,
  adjacency: Pick<AdjacencyReader, 'steps'>,
): Promise<string | null> {
  const discovered: string[] = [];
  for (const step of await adjacency.steps(side.frontier)) {
    if (side.reached.has(step.far)) continue;
    side.reached.set(step.far, step);
    discovered.push(step.far);
  }
  side.frontier = discovered.sort();
  return side.frontier.find((id) => other.reached.has(id)) ?? null;
}

function joinPaths(near: SearchSide, far: SearchSide, meetingId: string): EntityPath {
  const before = trace(near, meetingId);
  const after = trace(far, meetingId);
  return {
    nodes: [...before.nodes.toReversed(), meetingId, ...after.nodes],
    edges: [...before.edges.toReversed(), ...after.edges],
  };
}

/** Follows the steps from the meeting point back to the start of this side. */
function trace(side: SearchSide, meetingId: string): { nodes: string[]; edges: string[] } {
  const nodes: string[] = [];
  const edges: string[] = [];
  for (let step = side.reached.get(meetingId); step; step = side.reached.get(step.near)) {
    nodes.push(step.near);
    edges.push(step.id);
  }
  return { nodes, edges };
}
