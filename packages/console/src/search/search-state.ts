import type { SearchRequest } from '@mneme/sdk';

/** The search, as it is in the address of the page. */
export interface SearchState {
  readonly q?: string | undefined;
  readonly space?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Shows what each feature adds to a score. */
  readonly explain?: boolean | undefined;
  /** The id of a memory whose place is explained. */
  readonly why?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

/** Reads the query of the address; what is not valid is left out. */
export function readSearch(query: Readonly<Record<string, unknown>>): SearchState {
  const tags = Array.isArray(query.tags) ? query.tags.map(String) : [];
  const state: SearchState = {
    q: text(query.q),
    space: text(query.space),
    tags: tags.length > 0 ? tags : undefined,
    explain: query.explain === true || undefined,
    why: text(query.why),
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}

/** The body of POST /search, with the terms that matched for the highlight. */
export const toSearchRequest = ({ q = '', space, tags, why }: SearchState): SearchRequest => ({
  q: q.trim(),
  limit: 25,
  explain: true,
  include: ['memories'],
  ...(space === undefined ? {} : { space_id: space === 'default' ? null : space }),
  ...(tags === undefined ? {} : { tags: [...tags] }),
  ...(why === undefined ? {} : { why }),
});
