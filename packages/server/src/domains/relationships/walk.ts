/** A relationship as the walk goes along it; `strength` is 0..1, after decay. */
export interface Edge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly strength: number;
}

/** All edges that lead away from the nodes of a frontier, to whom they may lead. */
export type ReadEdges = (frontier: readonly string[]) => Promise<readonly Edge[]>;

export interface Reached {
  readonly id: string;
  /** The smallest number of edges to it. */
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
  readEdges: ReadEdges,
  { depth, nodesMax }: { depth: number; nodesMax: number },
): Promise<{ reached: Reached[]; truncated: boolean }> {
  const nodes = new Map<string, Node>();
  const refused = new Set<string>();
  nodes.set(start, { depth: 0, best: { score: 1, last: null }, edges: [] });
  let frontier = [start];
  let improved = [start];
  for (let round = 1; round <= depth && improved.length > 0; round += 1) {
    if (frontier.length > 0) {
      for (const edge of await readEdges(frontier)) nodes.get(edge.from)?.edges.push(edge);
    }
    const better = betterPaths(nodes, improved);
    const fresh = [...better].filter(([id]) => !nodes.has(id) && !refused.has(id));
    fresh.sort(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1));
    const room = nodesMax - (nodes.size - 1);
    frontier = fresh.slice(0, room).map(([id]) => id);
    for (const [id] of fresh.slice(room)) refused.add(id);
    for (const id of frontier) nodes.set(id, { depth: round, best: nowhere, edges: [] });
    improved = [];
    for (const [id, path] of better) {
      const node = nodes.get(id);
      if (!node) continue;
      node.best = path;
      improved.push(id);
    }
  }
  nodes.delete(start);
  const reached = [...nodes].map(([id, node]) => reachedBy(id, node));
  return { reached: reached.sort(compare), truncated: refused.size > 0 };
}

const nowhere: Path = { score: -1, last: null };

/** Paths of one edge more than those that were found last, where they are better than any yet. */
function betterPaths(
  nodes: ReadonlyMap<string, Node>,
  improved: readonly string[],
): Map<string, Path> {
  const better = new Map<string, Path>();
  for (const id of improved) {
    const node = nodes.get(id);
    for (const edge of node?.edges ?? []) {
      const before = node?.best ?? nowhere;
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

function reachedBy(id: string, { depth, best }: Node): Reached {
  const path: string[] = [];
  for (let { last } = best; last !== null; { last } = last.before) path.push(last.edge.id);
  return { id, depth, path: path.reverse(), score: best.score };
}

const compare = (a: Reached, b: Reached): number =>
  b.score - a.score || a.depth - b.depth || (a.id < b.id ? -1 : 1);
