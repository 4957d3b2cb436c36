import type { SearchRequest } from '@mneme/sdk';
import {
  type Age,
  type ContentType,
  createdAfter,
  readCommonFilters,
} from '../memories/filters.ts';

/** The search, as it is in the address of the page. */
export interface SearchState {
  readonly q?: string | undefined;
  readonly space?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly type?: ContentType | undefined;
  readonly age?: Age | undefined;
  readonly priority?: number | undefined;
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
    ...readCommonFilters(query),
    explain: query.explain === true || undefined,
    why: text(query.why),
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}

/** An age begins with a minute, so that the same search has the same request for a while. */
const ageStepMs = 60_000;

/** The body of POST /search, with the terms that matched for the highlight. */
export function toSearchRequest(state: SearchState, nowMs: number): SearchRequest {
  const { q = '', space, tags, type, age, priority, why } = state;
  const created_after = createdAfter(age, Math.floor(nowMs / ageStepMs) * ageStepMs);
  return {
    q: q.trim(),
    limit: 25,
    explain: true,
    include: ['memories'],
    ...(space !== undefined && { space_id: space === 'default' ? null : space }),
    ...(tags !== undefined && { tags: [...tags] }),
    ...(type !== undefined && { content_type: type }),
    ...(created_after !== undefined && { created_after }),
    ...(priority !== undefined && { min_priority: priority }),
    ...(why !== undefined && { why }),
  };
}
