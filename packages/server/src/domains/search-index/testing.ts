import { extractTerms } from '@mneme/text';
import type { Engine } from '../../database/index.ts';
import { overrideEngine } from '../../database/testing.ts';
import { AccountIndex } from './account/account-index.ts';
import { VectorArena } from './account/arena.ts';
import type { DocumentRow } from './account/document-row.ts';
import { analyseText } from './analysis.ts';
import { SearchBuffers } from './ranking/buffers.ts';
import type { IndexQuery } from './ranking/query.ts';
import { type Hit, Search } from './ranking/search.ts';

export { AccountIndex } from './account/account-index.ts';
export type { DocumentRow } from './account/document-row.ts';
export { salienceBoostMax } from './ranking/weights.ts';
export { type ModelScale, measureModelScale, measureQuantiles } from './scale/model-scale.ts';
export { referenceTexts } from './scale/reference-texts.ts';
export { threadNumberOf } from './thread/search-threads.ts';

/** For tests: creates rows, indexes and queries from plain texts. */
export const makeRow = (
  id: string,
  content: string,
  extra: Partial<DocumentRow> = {},
): DocumentRow => ({
  id,
  kind: 'memory',
  space_id: null,
  user_id: null,
  agent_id: null,
  run_id: null,
  session_id: null,
  session_ordinal: null,
  speaker: null,
  role: null,
  content_type: 'text',
  tags: [],
  priority: 0,
  salience: null,
  salience_at: null,
  pinned: false,
  occurred_at: null,
  created_at: new Date(0),
  superseded_by: [],
  likely_superseded_by: [],
  facts_ended_at: null,
  facts_ended_by: [],
  position: 0,
  terms: analyseText(content, new Date(0)),
  vector: null,
  passages: null,
  ...extra,
});

export function makeIndex(rows: readonly DocumentRow[], dimensions = 4): AccountIndex {
  const index = new AccountIndex(dimensions, new VectorArena(dimensions));
  for (const row of rows) index.apply(row);
  return index;
}

export const makeQuery = (text: string, extra: Partial<IndexQuery> = {}): IndexQuery => {
  const { words, compounds } = extractTerms(text);
  return {
    cacheKey: text,
    text,
    terms: [...words, ...compounds],
    excludedTerms: [],
    phraseMatches: null,
    vector: null,
    ranker: 'sentence',
    spaces: null,
    visibleSpaces: null,
    visibleUser: null,
    intent: {
      names: [],
      isAboutSelf: false,
      asksWhen: false,
      isAboutPast: false,
      pastPeriodEnd: null,
      isLookup: false,
      times: [],
    },
    filters: {},
    threshold: 0,
    now: 0,
    ...extra,
  };
};

/** The first hits of one search, with explanations. */
export function searchHits(index: AccountIndex, query: IndexQuery, limit = 100): readonly Hit[] {
  const search = new Search(index, new SearchBuffers(), query);
  return search.page(search.rank(), { offset: 0, limit, explain: true }).hits;
}

/** An engine that can hold back the result of its next raw statement that contains `words`. */
export function createHoldableEngine(real: Engine, sqlFragment: string) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isArmed = false;
  const executor = overrideMethod(real.db.getExecutor(), 'executeQuery', async (run, query) => {
    const result = await run(query);
    if (!isArmed || !query.sql.includes(sqlFragment)) return result;
    isArmed = false;
    reached.resolve();
    await released.promise;
    return result;
  });
  const engine = overrideEngine(real, {
    db: overrideMethod(real.db, 'getExecutor', () => executor),
  });
  /** Resolves when the result is available and held back. */
  const hold = (): Promise<void> => {
    isArmed = true;
    return reached.promise;
  };
  return { engine, hold, release: released.resolve };
}

type Method = (...given: never[]) => unknown;

/** The same object with one method replaced; the replacement may call the original. */
const overrideMethod = <T extends object, K extends keyof T>(
  object: T,
  name: K,
  method: T[K] extends Method ? (own: T[K], ...given: Parameters<T[K]>) => ReturnType<T[K]> : never,
): T =>
  new Proxy(object, {
    get(target, key) {
      const own = Reflect.get(target, key);
      if (typeof own !== 'function') return own;
      const bound = own.bind(target);
      return key === name ? (...given: never[]) => method(bound, ...(given as never)) : bound;
    },
  });

/** What a process needs to answer, or to forge, the search of a peer. */
export { encodeOutcome, type ForwardedOutcome } from './affinity/forwarded-search.ts';
export { createNonce, digestOf, signResponse, signSearch } from './affinity/search-signature.ts';
