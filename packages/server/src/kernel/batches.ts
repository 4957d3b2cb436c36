/**
 * Neighbours together, each batch of at most `sizeMax` in all, or one item that is larger alone.
 * What takes memory while it is written is written a batch at a time.
 */
export function* batchBySize<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  sizeMax: number,
): Generator<readonly T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (batch.length > 0 && size + own > sizeMax) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(item);
    size += own;
  }
  if (batch.length > 0) yield batch;
}
