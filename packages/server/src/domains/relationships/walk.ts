/** A relationship as the walk goes along it; `strength` is 0..1, after decay. */
export interface Edge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly strength: number;
}

/** What leads away from a frontier. */
interface FrontierExpansion {
  readonly edges: readonly Edge[];
  /** Nodes of the frontier that may be seen; the edges are theirs alone. */
  readonly visible: ReadonlySet<string>;
}

/** What a walk asks. */
export interface Adjacency {
  /** All edges that lead away from the frontier; `within`: those that lead there are enough. */
  edges(frontier: readonly string[], within: readonly string[] | null): Promise<FrontierExpansion>;
  /** Which of the nodes may be seen; the walk goes through no other. */
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

/** A path by its last edge. */
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
 * (Bellman-Ford, one round for each edge of a path). At most `nodesMax` nodes are taken in: the
 * nearest, among those equally near the best so far, then by id. What is not taken in is not
 * gone through either; then `truncated` is true. Out: best score first, then nearest, then by id.
 */
export async function walk(
  start: string,
  ground: Adjacency,
  { depth, nodesMax }: { depth: number; nodesMax: number },
): Promise<{ reached: ReachedMemory[]; truncated: boolean }> {
  const nodes = new Map<string, Node>();
  /** May not be seen, or were beyond `nodesMax`. */
  const leftOut = new Set<string>();
  nodes.set(start, { depth: 0, best: { score: 1, last: null }, edges: [] });
  /** Taken in by the last round, and not expanded yet. */
  let frontier = [start];
  /** To these the last round found a better path. */
  let improved = [start];
  let truncated = false;
  for (let round = 1; round <= depth && improved.length > 0; round += 1) {
    const unseen = await expandFrontier(nodes, frontier, ground, truncated);
    for (const id of unseen) leftOut.add(id);
    const better = betterPaths(nodes, improved);
    const unknown = ([id]: [string, Path]) => !nodes.has(id) && !leftOut.has(id);
    const fresh: [string, Path][] = truncated ? [] : [...better].filter(unknown);
    fresh.sort(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1));
    const room = nodesMax - (nodes.size - 1);
    // Where there is room for all, whether they may be seen is told with their edges.
    const { first, more } =
      round < depth && fresh.length <= room
        ? { first: fresh, more: false }
        : await takeVisible(fresh, ([id]) => id, ground.filterVisible, room);
    frontier = first.map(([id]) => id);
    truncated ||= more;
    for (const id of frontier) nodes.set(id, { depth: round, best: noPath, edges: [] });
    for (const [id] of fresh) if (!nodes.has(id)) leftOut.add(id);
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

/** Gives the frontier its edges. Returns those that may not be seen, which are taken out again. */
async function expandFrontier(
  nodes: Map<string, Node>,
  frontier: readonly string[],
  ground: Adjacency,
  truncated: boolean,
): Promise<string[]> {
  if (frontier.length === 0) return [];
  const { edges, visible } = await ground.edges(frontier, truncated ? [...nodes.keys()] : null);
  const unseen = frontier.filter((id) => !visible.has(id));
  for (const id of unseen) nodes.delete(id);
  for (const edge of edges) nodes.get(edge.from)?.edges.push(edge);
  return unseen;
}

const pageMin = 50;

/** The first `count` that may be seen, asked for in order, and whether there are more of them. */
export async function takeVisible<T>(
  ordered: readonly T[],
  idOf: (one: T) => string,
  seen: Adjacency['filterVisible'],
  count: number,
): Promise<{ first: T[]; more: boolean }> {
  const first: T[] = [];
  for (let at = 0; at < ordered.length; ) {
    const page = ordered.slice(at, at + Math.max(pageMin, count - first.length + 1));
    const visible = await seen(page.map(idOf));
    for (const one of page) {
      if (!visible.has(idOf(one))) continue;
      if (first.length === count) return { first, more: true };
      first.push(one);
    }
    at += page.length;
  }
  return { first, more: false };
}

const noPath: Path = { score: -1, last: null };

/** Paths of one edge more than those that were found last, where they are better than any yet. */
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

/** Of equally good paths, that with the smaller last edge: the order of reading does not matter. */
const isWorse = (rival: Path, score: number, edge: Edge): boolean =>
  score > rival.score || (score === rival.score && edge.id < (rival.last?.edge.id ?? ''));

function toReached(id: string, { best }: Node): ReachedMemory {
  const path: string[] = [];
  for (let { last } = best; last !== null; { last } = last.before) path.push(last.edge.id);
  return { id, depth: path.length, path: path.reverse(), score: best.score };
}

const compare = (a: ReachedMemory, b: ReachedMemory): number =>
  b.score - a.score || a.depth - b.depth || (a.id < b.id ? -1 : 1);
