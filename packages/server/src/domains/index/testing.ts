import type { Engine } from '../../engine/index.ts';
import { engineWith } from '../../engine/testing.ts';
import { termsOf } from '../../text/terms.ts';
import { AccountIndex, type DocumentRow } from './account/account-index.ts';
import { VectorArena } from './account/vectors.ts';
import { analyse } from './analysis.ts';
import type { IndexQuery } from './ranking/query.ts';
import { Scratch } from './ranking/scratch.ts';
import { type Hit, Search } from './ranking/search.ts';

/** For tests: rows, indexes and queries made of plain texts. */
export const rowOf = (
  id: string,
  content: string,
  extra: Partial<DocumentRow> = {},
): DocumentRow => ({
  id,
  kind: 'memory',
  space_id: null,
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
  terms: analyse(content, new Date(0)),
  vector: null,
  ...extra,
});

export function indexOf(rows: readonly DocumentRow[], dimensions = 4): AccountIndex {
  const index = new AccountIndex(dimensions, new VectorArena(dimensions));
  for (const row of rows) index.apply(row);
  return index;
}

export const queryOf = (text: string, extra: Partial<IndexQuery> = {}): IndexQuery => {
  const { words, compounds } = termsOf(text);
  return {
    identity: text,
    text,
    terms: [...words, ...compounds],
    excluded: [],
    holders: null,
    vector: null,
    spaces: null,
    intent: { names: [], ofOneself: false, asksWhen: false, times: [] },
    filters: {},
    threshold: 0,
    now: 0,
    ...extra,
  };
};

/** The first hits of one search, explained. */
export function hitsOf(index: AccountIndex, query: IndexQuery, limit = 100): readonly Hit[] {
  const search = new Search(index, new Scratch(), query);
  return search.page(search.rank(), { offset: 0, limit, explain: true }).hits;
}

/** An engine, and the answer to its next raw statement with such words held back until released. */
export function holding(real: Engine, words: string) {
  const met = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let holds = false;
  const executor = instead(real.db.getExecutor(), 'executeQuery', async (run, query) => {
    const result = await run(query);
    if (!holds || !query.sql.includes(words)) return result;
    holds = false;
    met.resolve();
    await released.promise;
    return result;
  });
  const engine = engineWith(real, { db: instead(real.db, 'getExecutor', () => executor) });
  /** Resolves when the answer is there, and waits. */
  const hold = (): Promise<void> => {
    holds = true;
    return met.promise;
  };
  return { engine, hold, release: released.resolve };
}

type Method = (...given: never[]) => unknown;

/** The same object with one method that may call its own. */
const instead = <T extends object, K extends keyof T>(
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
