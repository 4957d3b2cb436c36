/** What of the map is in the address of the page. */
export interface MapAddress {
  /** The id of a space; without it, the map of the account. */
  readonly space?: string | undefined;
  /** The memory that is open. */
  readonly id?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const readMapAddress = (query: Readonly<Record<string, unknown>>): MapAddress => ({
  ...(text(query.space) !== undefined && { space: text(query.space) }),
  ...(text(query.id) !== undefined && { id: text(query.id) }),
});
