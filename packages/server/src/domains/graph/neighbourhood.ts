import type { GraphEdgeKind } from '@mneme/contract';

export interface GraphNode {
  readonly id: string;
  readonly isMemory: boolean;
}

/** An edge from a memory or an entity to another. */
export interface GraphEdge {
  readonly kind: GraphEdgeKind;
  /** Of the fact or relationship; null for a mention. */
  readonly id: string | null;
  readonly source: GraphNode;
  readonly target: GraphNode;
  readonly type: string;
  /** 0..1. */
  readonly weight: number;
  readonly validFrom: Date | null;
  readonly validTo: Date | null;
}

/**
 * Reads the edges of some nodes, in both directions: of each node at most so many of each kind, the
 * strongest. An edge can be returned twice, and in any order.
 */
export type ReadEdges = (nodes: readonly GraphNode[]) => Promise<readonly GraphEdge[]>;

export interface NeighbourhoodNode extends GraphNode {
  readonly hops: number;
  /** Neighbours that were read and are not in the result. */
  readonly hiddenNeighbours: number;
}

export interface WalkedNeighbourhood {
  readonly nodes: readonly NeighbourhoodNode[];
  readonly edges: readonly GraphEdge[];
  readonly truncated: boolean;
}

export const edgeKey = ({ kind, id, source, target }: GraphEdge): string =>
  `${kind} ${id ?? `${source.id} ${target.id}`}`;

/** A mention says that a text names an entity, and nothing else about it. */
const mentionRank = 0.5;
const rankOf = ({ kind, weight }: GraphEdge): number =>
  kind === 'mention' ? weight * mentionRank : weight;

const compareEdges = (a: GraphEdge, b: GraphEdge): number =>
  rankOf(b) - rankOf(a) || (edgeKey(a) < edgeKey(b) ? -1 : 1);

const otherEnd = ({ source, target }: GraphEdge, id: string): GraphNode =>
  source.id === id ? target : source;

/**
 * Walks from `root`, frontier by frontier, and reads the edges of each node once. The result has
 * the nearest nodes, among equally near ones those with the strongest edge to the frontier, then
 * the smallest ids. Each node but the root keeps the edge that it was found by, so that the graph
 * is connected; the other edges between nodes follow, the strongest first.
 */
export async function walkNeighbourhood(
  root: GraphNode,
  readEdges: ReadEdges,
  bounds: { readonly hops: number; readonly nodesMax: number; readonly edgesMax: number },
): Promise<WalkedNeighbourhood> {
  const hopsOf = new Map([[root.id, 0]]);
  const nodes: GraphNode[] = [root];
  const edges = new Map<string, GraphEdge>();
  /** Keys of the edges that nodes were found by. */
  const found = new Set<string>();
  let frontier: readonly GraphNode[] = nodes;
  let truncated = false;
  for (let hop = 1; frontier.length > 0; hop += 1) {
    const read = await readEdges(frontier);
    for (const edge of read) edges.set(edgeKey(edge), edge);
    // The edges of the last nodes tell what is hidden.
    if (hop > bounds.hops) break;
    const discovered = strongestDiscoveries(read, hopsOf);
    const included = discovered.slice(0, bounds.nodesMax - nodes.length);
    truncated ||= included.length < discovered.length;
    for (const { node, edge } of included) {
      hopsOf.set(node.id, hop);
      nodes.push(node);
      found.add(edgeKey(edge));
    }
    frontier = included.map(({ node }) => node);
  }
  const among = [...edges.values()]
    .filter(({ source, target }) => hopsOf.has(source.id) && hopsOf.has(target.id))
    .map((edge) => ({ edge, isFinding: found.has(edgeKey(edge)) }))
    .sort((a, b) => Number(b.isFinding) - Number(a.isFinding) || compareEdges(a.edge, b.edge))
    .map(({ edge }) => edge);
  const hidden = countHiddenNeighbours(edges.values(), hopsOf);
  return {
    nodes: nodes.map((node) => ({
      ...node,
      hops: hopsOf.get(node.id) ?? 0,
      hiddenNeighbours: hidden.get(node.id)?.size ?? 0,
    })),
    edges: among.slice(0, bounds.edgesMax),
    truncated: truncated || among.length > bounds.edgesMax,
  };
}

interface Discovery {
  readonly node: GraphNode;
  readonly edge: GraphEdge;
}

/** Nodes that are not included yet, each with its strongest edge: the strongest first. */
function strongestDiscoveries(
  read: readonly GraphEdge[],
  included: ReadonlyMap<string, number>,
): Discovery[] {
  const best = new Map<string, Discovery>();
  for (const edge of read) {
    for (const near of [edge.source, edge.target]) {
      const node = otherEnd(edge, near.id);
      if (!included.has(near.id) || included.has(node.id)) continue;
      const rival = best.get(node.id);
      if (!rival || compareEdges(edge, rival.edge) < 0) best.set(node.id, { node, edge });
    }
  }
  return [...best.values()].sort(
    (a, b) => rankOf(b.edge) - rankOf(a.edge) || (a.node.id < b.node.id ? -1 : 1),
  );
}

/** Ids of neighbours that are not included, by the id of the included node. */
function countHiddenNeighbours(
  edges: Iterable<GraphEdge>,
  included: ReadonlyMap<string, number>,
): Map<string, Set<string>> {
  const hidden = new Map<string, Set<string>>();
  for (const edge of edges) {
    for (const near of [edge.source, edge.target]) {
      const far = otherEnd(edge, near.id);
      if (!included.has(near.id) || included.has(far.id)) continue;
      const ids = hidden.get(near.id) ?? new Set();
      hidden.set(near.id, ids.add(far.id));
    }
  }
  return hidden;
}
