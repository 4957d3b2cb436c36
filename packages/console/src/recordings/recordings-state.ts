/** The address of the page: the recording that is open, and the second where it starts. */
export interface RecordingsSearch {
  readonly id?: string | undefined;
  readonly at?: number | undefined;
  readonly q?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function readRecordingsSearch(search: Record<string, unknown>): RecordingsSearch {
  const at = Number(search.at);
  return {
    id: text(search.id),
    at: Number.isFinite(at) && at > 0 ? at : undefined,
    q: text(search.q),
  };
}
