import type { JsonObject } from '@mneme/contract';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON Merge Patch (RFC 7396): null removes a key, objects merge, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (isObject(value)) {
      const before = merged.get(key);
      merged.set(key, mergePatch(isObject(before) ? before : {}, value));
    } else merged.set(key, value);
  }
  // fromEntries defines properties, so that `__proto__` is an ordinary key.
  return Object.fromEntries(merged);
}
