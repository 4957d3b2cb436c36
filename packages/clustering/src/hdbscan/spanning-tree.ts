/** Points in few dimensions, row after row. */
export interface Points {
  readonly dimension: number;
  readonly values: Float32Array | Float64Array;
}

/** The edges of a minimum spanning tree, one fewer than points, by ascending weight. */
export interface SpanningTree {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly weight: Float64Array;
}

const squaredDistance = ({ values, dimension }: Points, i: number, j: number): number => {
  let sum = 0;
  for (let p = i * dimension, q = j * dimension, end = p + dimension; p < end; p += 1, q += 1) {
    const difference = (values[p] as number) - (values[q] as number);
    sum += difference * difference;
  }
  return sum;
};

/**
 * The distance of each point to its `minSamples`-th nearest, counting itself as the first
 * (Campello, Moulavi and Sander, "Density-Based Clustering Based on Hierarchical Density
 * Estimates", 2013, definition 1).
 */
export function coreDistances(points: Points, minSamples: number): Float64Array {
  const count = points.values.length / points.dimension;
  const others = Math.min(minSamples, count) - 1;
  const cores = new Float64Array(count);
  if (others <= 0) return cores;
  const nearest = new Float64Array(count * others).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < count; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const square = squaredDistance(points, i, j);
      if (square < (nearest[(i + 1) * others - 1] as number)) insert(nearest, i, others, square);
      if (square < (nearest[(j + 1) * others - 1] as number)) insert(nearest, j, others, square);
    }
  }
  for (let i = 0; i < count; i += 1) cores[i] = Math.sqrt(nearest[(i + 1) * others - 1] as number);
  return cores;
}

function insert(nearest: Float64Array, row: number, others: number, square: number): void {
  const first = row * others;
  let index = first + others - 1;
  while (index > first && (nearest[index - 1] as number) > square) {
    nearest[index] = nearest[index - 1] as number;
    index -= 1;
  }
  nearest[index] = square;
}

/**
 * Prim's algorithm on the mutual reachability graph: max(core(a), core(b), distance). Each pair is
 * evaluated once; memory grows linearly with the number of points.
 */
export function buildSpanningTree(
  points: Points,
  cores: Float64Array,
  onProgress: (share: number) => void,
): SpanningTree {
  const count = cores.length;
  const edges = Math.max(0, count - 1);
  const [from, to, weight] = [
    new Int32Array(edges),
    new Int32Array(edges),
    new Float64Array(edges),
  ];
  /** Points outside the tree, and the shortest edge to each. */
  const outside = Int32Array.from({ length: edges }, (_, i) => i + 1);
  const cheapest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const by = new Int32Array(count);
  // Compares squares: the order is the same, and square roots take as long as all the rest.
  const coreSquares = cores.map((core) => core * core);
  let last = 0;
  for (let edge = 0; edge < edges; edge += 1) {
    const left = edges - edge;
    let best = 0;
    let bestWeight = Number.POSITIVE_INFINITY;
    const core = coreSquares[last] as number;
    for (let index = 0; index < left; index += 1) {
      const point = outside[index] as number;
      const square = squaredDistance(points, last, point);
      const reach = Math.max(square, core, coreSquares[point] as number);
      let known = cheapest[point] as number;
      if (reach < known) {
        cheapest[point] = reach;
        by[point] = last;
        known = reach;
      }
      if (known < bestWeight) {
        best = index;
        bestWeight = known;
      }
    }
    last = outside[best] as number;
    outside[best] = outside[left - 1] as number;
    from[edge] = by[last] as number;
    to[edge] = last;
    weight[edge] = Math.sqrt(bestWeight);
    if (edge % 256 === 0) onProgress(1 - (left / edges) ** 2);
  }
  return sortByWeight({ from, to, weight });
}

function sortByWeight({ from, to, weight }: SpanningTree): SpanningTree {
  const order = Int32Array.from(weight, (_, i) => i).sort(
    (i, j) => (weight[i] as number) - (weight[j] as number),
  );
  return {
    from: order.map((i) => from[i] as number),
    to: order.map((i) => to[i] as number),
    weight: Float64Array.from(order, (i) => weight[i] as number),
  };
}
