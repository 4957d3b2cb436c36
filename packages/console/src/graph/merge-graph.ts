import type { Neighbourhood } from '@mneme/sdk';

export type GraphNode = Neighbourhood['nodes'][number];
export type GraphEdge = Neighbourhood['edges'][number];

/** The most nodes that are shown. */
export const shownNodesMax = 500;

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Edges by the ids of both nodes. */
  readonly edgesOf: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly byId: ReadonlyMap<string, GraphNode>;
  /** Nodes were left out, because there are more than can be shown. */
  readonly isFull: boolean;
}

const edgeKey = ({ kind, id, source_id, target_id }: GraphEdge): string =>
  id ?? `${kind} ${source_id} ${target_id}`;

export const otherEnd = ({ source_id, target_id }: GraphEdge, id: string): string =>
  source_id === id ? target_id : source_id;

/**
 * Joins the neighbourhoods of the centre and of the nodes that were expanded, in this order. A node
 * has the smallest number of hidden neighbours that a response reports; nodes without a path to the
 * centre are left out.
 */
export function mergeGraph(parts: readonly Neighbourhood[]): Graph {
  const byId = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let isFull = false;
  for (const { nodes, edges: found, root } of parts) {
    if (byId.size > 0 && !byId.has(root)) continue;
    for (const node of nodes) {
      const known = byId.get(node.id);
      if (known) {
        const hidden = Math.min(known.hidden_neighbours, node.hidden_neighbours);
        byId.set(node.id, { ...known, hidden_neighbours: hidden });
      } else if (byId.size < shownNodesMax) byId.set(node.id, node);
      else isFull = true;
    }
    for (const edge of found) edges.set(edgeKey(edge), edge);
  }
  const shown = [...edges.values()].filter(
    ({ source_id, target_id }) => byId.has(source_id) && byId.has(target_id),
  );
  const edgesOf = new Map<string, GraphEdge[]>();
  for (const edge of shown) {
    for (const id of new Set([edge.source_id, edge.target_id])) {
      const own = edgesOf.get(id);
      if (own) own.push(edge);
      else edgesOf.set(id, [edge]);
    }
  }
  return { nodes: [...byId.values()], edges: shown, edgesOf, byId, isFull };
}
