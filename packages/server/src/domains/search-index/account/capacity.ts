type TypedArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** Shorter arrays double; longer ones grow by a quarter, so that less of them is empty. */
const doublesUpTo = 64;
const capacityMin = 8;

/** The next capacity of an array that has no more room; that of a segment may have none. */
export const nextCapacity = (capacity: number): number =>
  capacity < doublesUpTo ? Math.max(capacityMin, capacity * 2) : capacity + (capacity >> 2);

/** A copy with zeros behind its values. */
export function copyToCapacity<T extends TypedArray>(values: T, capacity: number): T {
  const copy = new (values.constructor as new (length: number) => T)(capacity);
  copy.set(values);
  return copy;
}
