import { AccountIndex } from '../account/account-index.ts';
import { VectorArena } from '../account/vectors.ts';
import { documentsWithAll } from '../ranking/filter.ts';
import type { GroupBy } from '../ranking/groups.ts';
import { findNearest } from '../ranking/nearest.ts';
import type { Ranking } from '../ranking/order.ts';
import type { IndexQuery } from '../ranking/query.ts';
import { Scratch } from '../ranking/scratch.ts';
import { type HitPage, type PageOf, Search } from '../ranking/search.ts';
import { findTagged } from '../ranking/tagged.ts';
import type { AllHits, Asking, GroupedHits, Questions, Telling } from './protocol.ts';

/** Rankings kept for the pages that follow, over all accounts: about 24 bytes a place. */
const keptPlacesMax = 1_500_000;

interface Kept {
  readonly accountId: string;
  readonly ranking: Ranking;
}

/** The indexes of the accounts that are searched, and what is done with them, one at a time. */
export class SearchRoom {
  readonly #dimensions: number;
  readonly #arena: VectorArena;
  #scratch = new Scratch();
  readonly #accounts = new Map<string, AccountIndex>();
  /** By query, in order of last use. */
  readonly #kept = new Map<string, Kept>();
  #keptPlaces = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#arena = new VectorArena(dimensions);
  }

  tell(telling: Telling): void {
    if (telling.kind === 'drop') {
      this.#accounts.get(telling.accountId)?.free();
      this.#accounts.delete(telling.accountId);
      for (const [key, { accountId }] of this.#kept) {
        if (accountId === telling.accountId) this.#forget(key);
      }
      return;
    }
    const index = this.#account(telling.accountId);
    if (telling.kind === 'rows') {
      for (const row of telling.rows) index.apply(row);
    } else {
      for (const { id, salience } of telling.values) index.setSalience(id, salience, telling.atMs);
    }
  }

  ask(asking: Asking): Questions[typeof asking.kind]['answer'] {
    const index = this.#account(asking.accountId);
    switch (asking.kind) {
      case 'page':
        return this.#page(index, asking.accountId, asking.query, asking.page);
      case 'all':
        return this.#all(index, asking.query);
      case 'groups':
        return this.#groups(index, asking.query, asking.by, asking.limit);
      case 'holding': {
        const found = documentsWithAll(index, index.scope(asking.spaces), asking.terms);
        return [...found].map((document) => index.ids[document] as string);
      }
      case 'tagged':
        return findTagged(index, asking.query);
      case 'nearest':
        return findNearest(index, this.#scratch, asking.query);
      case 'size':
        return {
          documents: index.columns.length,
          dead: index.columns.length - index.live,
        };
    }
  }

  /**
   * The first page ranks anew; those that follow go on in the order of the first, so that none
   * repeats or loses a result while others write.
   */
  #page(index: AccountIndex, accountId: string, query: IndexQuery, page: PageOf): HitPage {
    const key = `${accountId} ${query.threshold} ${query.identity}`;
    return this.#search(index, query, (search) => {
      const earlier = page.offset > 0 ? this.#kept.get(key) : undefined;
      const ranking = earlier?.ranking ?? search.rank();
      this.#keep(key, { accountId, ranking });
      return search.page(ranking, page);
    });
  }

  #all(index: AccountIndex, query: IndexQuery): AllHits {
    return this.#search(index, query, (search) => search.all(search.rank()));
  }

  #search<T>(index: AccountIndex, query: IndexQuery, show: (search: Search) => T): T {
    try {
      const search = new Search(index, this.#scratch, query);
      const shown = show(search);
      search.end();
      return shown;
    } catch (error) {
      // What a fault leaves behind must not weigh in the next search.
      this.#scratch = new Scratch();
      throw error;
    }
  }

  #groups(index: AccountIndex, query: IndexQuery, by: GroupBy, limit: number): GroupedHits {
    const search = new Search(index, this.#scratch, query);
    try {
      const ranking = search.rank();
      return { total: ranking.documents.length, groups: search.groups(ranking, by, limit) };
    } finally {
      search.end();
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#forget(key);
    this.#kept.set(key, kept);
    this.#keptPlaces += kept.ranking.documents.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptPlaces <= keptPlacesMax || oldest === key) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#keptPlaces -= kept.ranking.documents.length;
  }

  #account(accountId: string): AccountIndex {
    const known = this.#accounts.get(accountId);
    if (known) return known;
    const fresh = new AccountIndex(this.#dimensions, this.#arena);
    this.#accounts.set(accountId, fresh);
    return fresh;
  }
}
