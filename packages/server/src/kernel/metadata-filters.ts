const prefix = 'metadata.';

/** The `metadata.<key>` filters of a query by key, and its other fields. */
export function splitMetadataFilters(query: Readonly<Record<string, unknown>>): {
  readonly fields: Record<string, unknown>;
  readonly metadata: Record<string, string>;
} {
  const [pairs, others] = [true, false].map((isPair) =>
    Object.entries(query).filter(([name]) => name.startsWith(prefix) === isPair),
  ) as [[string, unknown][], [string, unknown][]];
  return {
    fields: Object.fromEntries(others),
    metadata: Object.fromEntries(
      pairs.map(([name, value]) => [name.slice(prefix.length), String(value)]),
    ),
  };
}
