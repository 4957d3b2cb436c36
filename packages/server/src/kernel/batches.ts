/**
 * Groups consecutive items into batches of at most `sizeMax`; a larger item has a batch of its own.
 * It limits the memory of large writes.
 */
export function* batchBySize<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  sizeMax: number,
): Generator<readonly T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const item of items) {
    const itemSize = sizeOf(item);
    if (batch.length > 0 && size + itemSize > sizeMax) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(item);
    size += itemSize;
  }
  if (batch.length > 0) yield batch;
}
