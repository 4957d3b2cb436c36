export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const vectors: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** A node 45° aside counts as if it were more than twice as far. */
const asideWeight = 2;

/**
 * The node to which an arrow key moves: the nearest one in this direction, within 60° on each side.
 * Neighbours go before other nodes, so that keys follow edges and still reach every node.
 */
export function nodeInDirection(
  from: Point,
  direction: Direction,
  candidates: readonly { readonly id: string; readonly at: Point; readonly isNeighbour: boolean }[],
): string | undefined {
  const vector = vectors[direction];
  const reached = candidates.flatMap(({ id, at, isNeighbour }) => {
    const [dx, dy] = [at.x - from.x, at.y - from.y];
    const ahead = dx * vector.x + dy * vector.y;
    const aside = Math.abs(dx * vector.y) + Math.abs(dy * vector.x);
    const isInSector = ahead > 0 && aside <= ahead * Math.sqrt(3);
    return isInSector ? [{ id, isNeighbour, cost: ahead + aside * asideWeight }] : [];
  });
  reached.sort((a, b) => Number(b.isNeighbour) - Number(a.isNeighbour) || a.cost - b.cost);
  return reached[0]?.id;
}
