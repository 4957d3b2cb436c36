/** A relationship between two entities, as it is shown. */
export interface EntityEdge {
  readonly id: string;
  readonly source_id: string;
  readonly target_id: string;
  readonly relationship_type: string;
  readonly weight: number;
}

/** As it was found; `said`: by hand, or by a memory that may be seen. */
export interface FoundEdge extends EntityEdge {
  readonly said: boolean;
}

/** An entity, and how sure the surest relationship to it is. */
export interface LinkedEntity {
  readonly id: string;
  readonly weight: number;
}

/** A relationship as it is gone along. */
export interface TraversalStep {
  readonly id: string;
  readonly near: string;
  readonly far: string;
}

/** What walks ask. Edges have no direction. */
export interface Adjacency {
  /** Who is linked to a frontier and not taken in yet: the surest first, then by id. */
  nearest(
    frontier: readonly string[],
    taken: readonly string[],
    countMax: number,
  ): Promise<readonly LinkedEntity[]>;
  /** All that links these with each other. */
  among(ids: readonly string[]): Promise<readonly FoundEdge[]>;
  /** All that leads away from a frontier, by id. */
  steps(frontier: readonly string[]): Promise<readonly TraversalStep[]>;
}

export interface Neighbourhood {
  /** Hops to each entity, the root's own included. */
  readonly hops: ReadonlyMap<string, number>;
  readonly edges: readonly EntityEdge[];
  /** There were more than there was room for. */
  readonly truncated: boolean;
  /** What nobody says has changed nothing. */
  readonly isSupported: boolean;
}

/**
 * What is within `hops` of an entity, frontier by frontier. At most `nodesMax` nodes are taken in:
 * the nearest, among those equally near the surest linked, then by id.
 *
 * The ground may lead over edges that nobody says. Who is taken in has its surest edge among those
 * of the answer, and who is left out could only be less surely linked: the answer is sound where
 * all its own edges are said, and one of them to the first who is left out.
 */
export async function neighbourhood(
  root: string,
  ground: Adjacency,
  { hops, nodesMax }: { readonly hops: number; readonly nodesMax: number },
): Promise<Neighbourhood> {
  const taken = new Map([[root, 0]]);
  let leftOut: string | undefined;
  let frontier = [root];
  let last = frontier;
  for (let hop = 1; hop <= hops && frontier.length > 0 && leftOut === undefined; hop += 1) {
    const room = nodesMax - taken.size;
    const fresh = (await ground.nearest(frontier, [...taken.keys()], room + 1)).map(({ id }) => id);
    last = frontier;
    leftOut = fresh[room];
    frontier = fresh.slice(0, room);
    for (const id of frontier) taken.set(id, hop);
  }
  const found = await ground.among([...taken.keys(), ...(leftOut === undefined ? [] : [leftOut])]);
  const within = found.filter(
    ({ source_id, target_id }) => taken.has(source_id) && taken.has(target_id),
  );
  const reach = new Set(last);
  const truncated = found.some(
    ({ said, source_id, target_id }) =>
      said &&
      ((source_id === leftOut && reach.has(target_id)) ||
        (target_id === leftOut && reach.has(source_id))),
  );
  return {
    hops: taken,
    edges: within.map(({ said, ...edge }) => edge),
    truncated,
    isSupported: within.every(({ said }) => said) && (leftOut === undefined || truncated),
  };
}

/** A way from one entity to another. */
export interface EntityPath {
  readonly nodes: readonly string[];
  /** Ids of the edges between them. */
  readonly edges: readonly string[];
}

/** One side of a search from both ends. */
interface SearchSide {
  /** By entity: the step by which it was reached; null at the start. */
  readonly reached: Map<string, TraversalStep | null>;
  frontier: readonly string[];
}

const createSide = (id: string): SearchSide => ({ reached: new Map([[id, null]]), frontier: [id] });

/**
 * The shortest way of at most `maxHops`, by breadth from both ends, the smaller frontier first; of
 * several the one over the smaller ids. Null: there is none, or more than `nodesMax` were seen.
 */
export async function shortestPath(
  from: string,
  to: string,
  ground: Pick<Adjacency, 'steps'>,
  { maxHops, nodesMax }: { readonly maxHops: number; readonly nodesMax: number },
): Promise<EntityPath | null> {
  if (from === to) return { nodes: [from], edges: [] };
  const near = createSide(from);
  const far = createSide(to);
  for (let hops = 0; hops < maxHops; hops += 1) {
    const side = near.frontier.length <= far.frontier.length ? near : far;
    const other = side === near ? far : near;
    const met = await expandFrontier(side, other, ground);
    if (met !== null) return joinPaths(near, far, met);
    if (side.frontier.length === 0) return null;
    if (near.reached.size + far.reached.size > nodesMax) return null;
  }
  return null;
}

/** One step of breadth; the entity where both sides meet, or null. */
async function expandFrontier(
  side: SearchSide,
  other: SearchSide,
  ground: Pick<Adjacency, 'steps'>,
): Promise<string | null> {
  const fresh: string[] = [];
  for (const step of await ground.steps(side.frontier)) {
    if (side.reached.has(step.far)) continue;
    side.reached.set(step.far, step);
    fresh.push(step.far);
  }
  side.frontier = fresh.sort();
  return side.frontier.find((id) => other.reached.has(id)) ?? null;
}

function joinPaths(near: SearchSide, far: SearchSide, met: string): EntityPath {
  const before = trace(near, met);
  const after = trace(far, met);
  return {
    nodes: [...before.nodes.toReversed(), met, ...after.nodes],
    edges: [...before.edges.toReversed(), ...after.edges],
  };
}

/** From where the sides met back to where this one started. */
function trace(side: SearchSide, met: string): { nodes: string[]; edges: string[] } {
  const nodes: string[] = [];
  const edges: string[] = [];
  for (let step = side.reached.get(met); step; step = side.reached.get(step.near)) {
    nodes.push(step.near);
    edges.push(step.id);
  }
  return { nodes, edges };
}
