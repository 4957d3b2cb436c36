import type { EntityEdge } from './store/read.ts';

type EdgesOf = (frontier: readonly string[]) => Promise<readonly EntityEdge[]>;

export interface Neighbourhood {
  /** Hops to each entity, the root's own included. */
  readonly hops: ReadonlyMap<string, number>;
  readonly edges: readonly EntityEdge[];
  readonly truncated: boolean;
}

const otherEnd = (edge: EntityEdge, id: string): string =>
  edge.source_id === id ? edge.target_id : edge.source_id;

/**
 * What is within `hops` of an entity, frontier by frontier. At most `nodesMax` nodes are taken in:
 * the nearest, among those equally near the surest linked, then by id; then `truncated` is true.
 */
export async function neighbourhood(
  root: string,
  edgesOf: EdgesOf,
  { hops, nodesMax }: { readonly hops: number; readonly nodesMax: number },
): Promise<Neighbourhood> {
  const taken = new Map([[root, 0]]);
  const edges = new Map<string, EntityEdge>();
  let frontier = [root];
  let truncated = false;
  for (let hop = 1; hop <= hops && frontier.length > 0; hop += 1) {
    const best = new Map<string, number>();
    for (const edge of await edgesOf(frontier)) {
      edges.set(edge.id, edge);
      for (const id of [edge.source_id, edge.target_id]) {
        if (taken.has(id)) continue;
        best.set(id, Math.max(best.get(id) ?? 0, edge.weight));
      }
    }
    const fresh = [...best].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
    const room = nodesMax - taken.size;
    truncated ||= fresh.length > room;
    frontier = fresh.slice(0, room);
    for (const id of frontier) taken.set(id, hop);
  }
  // Those who stand farthest may be linked among each other as well.
  if (frontier.length > 0) {
    for (const edge of await edgesOf(frontier)) edges.set(edge.id, edge);
  }
  const within = [...edges.values()].filter(
    ({ source_id, target_id }) => taken.has(source_id) && taken.has(target_id),
  );
  return { hops: taken, edges: within, truncated };
}

/** A way from one entity to another. */
export interface EntityPath {
  readonly nodes: readonly string[];
  readonly edges: readonly EntityEdge[];
}

/** One side of a search from both ends. */
interface Side {
  /** By entity: the edge by which it was reached; null at the start. */
  readonly reached: Map<string, EntityEdge | null>;
  frontier: readonly string[];
}

const startAt = (id: string): Side => ({ reached: new Map([[id, null]]), frontier: [id] });

/**
 * The shortest way of at most `maxHops`, by breadth from both ends, the smaller frontier first; of
 * several the one over the smaller ids. Null: there is none, or more than `nodesMax` were seen.
 */
export async function shortestPath(
  from: string,
  to: string,
  edgesOf: EdgesOf,
  { maxHops, nodesMax }: { readonly maxHops: number; readonly nodesMax: number },
): Promise<EntityPath | null> {
  if (from === to) return { nodes: [from], edges: [] };
  const near = startAt(from);
  const far = startAt(to);
  for (let hops = 0; hops < maxHops; hops += 1) {
    const side = near.frontier.length <= far.frontier.length ? near : far;
    const other = side === near ? far : near;
    const met = await advance(side, other, edgesOf);
    if (met !== null) return joined(near, far, met);
    if (side.frontier.length === 0) return null;
    if (near.reached.size + far.reached.size > nodesMax) return null;
  }
  return null;
}

/** One step of breadth; the entity where both sides meet, or null. */
async function advance(side: Side, other: Side, edgesOf: EdgesOf): Promise<string | null> {
  const fresh: string[] = [];
  const frontier = new Set(side.frontier);
  for (const edge of await edgesOf(side.frontier)) {
    for (const id of [edge.source_id, edge.target_id]) {
      if (!frontier.has(id)) continue;
      const next = otherEnd(edge, id);
      if (side.reached.has(next)) continue;
      side.reached.set(next, edge);
      fresh.push(next);
    }
  }
  side.frontier = fresh.sort();
  return side.frontier.find((id) => other.reached.has(id)) ?? null;
}

function joined(near: Side, far: Side, met: string): EntityPath {
  const before = trace(near, met);
  const after = trace(far, met);
  return {
    nodes: [...before.nodes.toReversed(), met, ...after.nodes],
    edges: [...before.edges.toReversed(), ...after.edges],
  };
}

/** From where the sides met back to where this one started. */
function trace(side: Side, met: string): EntityPath {
  const nodes: string[] = [];
  const edges: EntityEdge[] = [];
  for (let [at, edge] = [met, side.reached.get(met)]; edge; edge = side.reached.get(at)) {
    at = otherEnd(edge, at);
    nodes.push(at);
    edges.push(edge);
  }
  return { nodes, edges };
}
