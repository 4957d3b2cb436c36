/** A relationship in the direction of the walk; `strength` is 0..1, after decay. */
export interface Edge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly strength: number;
}

/** The edges that lead away from a frontier. */
interface FrontierExpansion {
  readonly edges: readonly Edge[];
  /** Visible nodes of the frontier; all edges start from them. */
  readonly visible: ReadonlySet<string>;
}

/** The graph that a walk reads. */
export interface AdjacencyReader {
  /** All edges that lead away from the frontier; with `within`, only those to these nodes. */
  edges(frontier: readonly string[], within: readonly string[] | null): Promise<FrontierExpansion>;
  /** The nodes that are visible; the walk passes through no other. */
  filterVisible(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface ReachedMemory {
  readonly id: string;
  /** The number of edges of the path. */
  readonly depth: number;
  /** Ids of the edges of the best path. */
  readonly path: readonly string[];
  readonly score: number;
}

/** A path as a linked list of edges, from the last one. */
interface Path {
  readonly score: number;
  readonly last: { readonly edge: Edge; readonly before: Path } | null;
}

interface Node {
  readonly depth: number;
  best: Path;
  readonly edges: Edge[];
}

/**
 * Walks from `start`, frontier by frontier; each node is expanded once, however many paths lead to
 * it. The score of a node is the best product of strengths over all paths of at most `depth` edges
 * (Bellman-Ford, one round per edge of a path). At most `nodesMax` nodes are included: the nearest,
 * among equally near ones those with the best score so far, then by id. Excluded nodes are not
 * passed through either, and `truncated` is true. Sorted by score, then distance, then id.
 */
export async function walkRelationships(
  start: string,
  adjacency: AdjacencyReader,
  { depth, nodesMax }: { depth: number; nodesMax: number },
): Promise<{ reached: ReachedMemory[]; truncated: boolean }> {
  const nodes = new Map<string, Node>();
  /** Not visible, or beyond `nodesMax`. */
  const excluded = new Set<string>();
  nodes.set(start, { depth: 0, best: { score: 1, last: null }, edges: [] });
  /** Included by the last round, and not expanded yet. */
  let frontier = [start];
  /** Nodes for which the last round found a better path. */
  let improved = [start];
  let truncated = false;
  for (let round = 1; round <= depth && improved.length > 0; round += 1) {
    const hidden = await expandFrontier(nodes, frontier, adjacency, truncated);
    for (const id of hidden) excluded.add(id);
    const better = betterPaths(nodes, improved);
    const unknown = ([id]: [string, Path]) => !nodes.has(id) && !excluded.has(id);
    const added: [string, Path][] = truncated ? [] : [...better].filter(unknown);
    added.sort(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1));
    const capacity = nodesMax - (nodes.size - 1);
    // If all fit and a round follows, their visibility is read with their edges.
    const { first, more } =
      round < depth && added.length <= capacity
        ? { first: added, more: false }
        : await takeVisible(added, ([id]) => id, adjacency.filterVisible, capacity);
    frontier = first.map(([id]) => id);
    truncated ||= more;
    for (const id of frontier) nodes.set(id, { depth: round, best: noPath, edges: [] });
    for (const [id] of added) if (!nodes.has(id)) excluded.add(id);
    improved = [];
    for (const [id, path] of better) {
      const node = nodes.get(id);
      if (!node) continue;
      node.best = path;
      improved.push(id);
    }
  }
  nodes.delete(start);
  const reached = [...nodes].map(([id, node]) => toReached(id, node));
  return { reached: reached.sort(compare), truncated };
}

/** Reads the edges of the frontier. Removes nodes that are not visible and returns their ids. */
async function expandFrontier(
  nodes: Map<string, Node>,
  frontier: readonly string[],
  adjacency: AdjacencyReader,
  truncated: boolean,
): Promise<string[]> {
  if (frontier.length === 0) return [];
  const { edges, visible } = await adjacency.edges(frontier, truncated ? [...nodes.keys()] : null);
  const hidden = frontier.filter((id) => !visible.has(id));
  for (const id of hidden) nodes.delete(id);
  for (const edge of edges) nodes.get(edge.from)?.edges.push(edge);
  return hidden;
}

const pageMin = 50;

/** The first `count` visible items, and whether more exist. Queries visibility in pages. */
export async function takeVisible<T>(
  ordered: readonly T[],
  idOf: (item: T) => string,
  filterVisible: AdjacencyReader['filterVisible'],
  count: number,
): Promise<{ first: T[]; more: boolean }> {
  const first: T[] = [];
  for (let position = 0; position < ordered.length; ) {
    const page = ordered.slice(position, position + Math.max(pageMin, count - first.length + 1));
    const visible = await filterVisible(page.map(idOf));
    for (const item of page) {
      if (!visible.has(idOf(item))) continue;
      if (first.length === count) return { first, more: true };
      first.push(item);
    }
    position += page.length;
  }
  return { first, more: false };
}

const noPath: Path = { score: -1, last: null };

/** Extends the paths improved last by one edge, if that beats the best path so far. */
function betterPaths(
  nodes: ReadonlyMap<string, Node>,
  improved: readonly string[],
): Map<string, Path> {
  const better = new Map<string, Path>();
  for (const id of improved) {
    const node = nodes.get(id);
    for (const edge of node?.edges ?? []) {
      const before = node?.best ?? noPath;
      const score = before.score * edge.strength;
      const rival = better.get(edge.to);
      if (rival ? isWorse(rival, score, edge) : score > (nodes.get(edge.to)?.best.score ?? -1)) {
        better.set(edge.to, { score, last: { edge, before } });
      }
    }
  }
  return better;
}

/** Ties go to the smaller last edge, so that the order of reading does not matter. */
const isWorse = (rival: Path, score: number, edge: Edge): boolean =>
  score > rival.score || (score === rival.score && edge.id < (rival.last?.edge.id ?? ''));

function toReached(id: string, { best }: Node): ReachedMemory {
  const path: string[] = [];
  for (let { last } = best; last !== null; { last } = last.before) path.push(last.edge.id);
  return { id, depth: path.length, path: path.reverse(), score: best.score };
}

const compare = (a: ReachedMemory, b: ReachedMemory): number =>
  b.score - a.score || a.depth - b.depth || (a.id < b.id ? -1 : 1);
