type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * What people see of a result: without fields of these names, which repeat others under older
 * names, and without the position of a page.
 */
export function visibleParts(value: unknown, hidden: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => visibleParts(item, hidden));
  if (typeof value !== 'object' || value === null) return value;
  const isPage = Array.isArray((value as JsonRecord).data);
  const kept = Object.entries(value).filter(
    ([name]) => !hidden.includes(name) && !(isPage && name === 'pagination'),
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, visibleParts(part, hidden)]));
}
