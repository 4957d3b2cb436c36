import { AccountIndex } from '../account/account-index.ts';
import { estimateIndexBytes } from '../account/index-size.ts';
import { VectorArena } from '../account/vectors.ts';
import { SearchBuffers } from '../ranking/buffers.ts';
import { countDocumentFrequencies } from '../ranking/document-frequencies.ts';
import { documentsWithAll } from '../ranking/filter.ts';
import type { GroupBy } from '../ranking/groups.ts';
import { findNearest } from '../ranking/nearest.ts';
import type { Ranking } from '../ranking/order.ts';
import type { IndexQuery } from '../ranking/query.ts';
import { type HitPage, type PageRequest, Search } from '../ranking/search.ts';
import { findByTag } from '../ranking/tag-lookup.ts';
import type {
  AccountSize,
  AllHits,
  GroupedHits,
  SearchWorkerMessage,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './protocol.ts';

/** Rankings kept for the pages that follow, over all accounts. */
const rankingCacheBytesMax = 18_000_000;

/** What an account holds, by kind of document. */
interface LoadedAccount {
  readonly dimensions: number;
  readonly kinds: Map<string, AccountIndex>;
}

interface CachedRanking {
  readonly accountId: string;
  readonly ranking: Ranking;
}

/** What nothing was found by takes room, too: its key holds the question. */
const cachedRankingBytes = (
  key: string,
  { ranking: { documents, sortValues } }: CachedRanking,
): number => 1_000 + key.length * 2 + documents.byteLength + sortValues.byteLength;

/** The indexes of the accounts that are searched, and what is done with them, one at a time. */
export class SearchWorker {
  readonly #dimensions: number;
  /** By the number of dimensions; while a model changes there are two. */
  readonly #arenas = new Map<number, VectorArena>();
  #buffers = new SearchBuffers();
  readonly #accounts = new Map<string, LoadedAccount>();
  /** By query, in order of last use. */
  readonly #rankings = new Map<string, CachedRanking>();
  #rankingBytes = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#arenas.set(dimensions, new VectorArena(dimensions));
  }

  handleMessage(telling: SearchWorkerMessage): void {
    const { accountId } = telling;
    switch (telling.kind) {
      case 'drop':
        this.#dropAccount(accountId);
        break;
      case 'open':
        this.#dropAccount(accountId);
        this.#createAccount(accountId, telling.dimensions);
        break;
      case 'rows':
        for (const row of telling.rows) this.#index(accountId, row.kind).apply(row);
        break;
      case 'salience':
        for (const { id, salience } of telling.values) {
          this.#index(accountId, 'memory').setSalience(id, salience, telling.atMs);
        }
    }
  }

  handleRequest(asking: SearchWorkerRequest): SearchWorkerRequests[typeof asking.kind]['answer'] {
    const kind = ('of' in asking && asking.of) || 'memory';
    const index = this.#index(asking.accountId, kind);
    switch (asking.kind) {
      case 'page':
        return this.#page(index, `${asking.accountId} ${kind}`, asking);
      case 'all':
        return this.#all(index, asking.query);
      case 'groups':
        return this.#groups(index, asking.query, asking.by, asking.limit);
      case 'holding': {
        const found = documentsWithAll(index, index.scope(asking.spaces), asking.terms);
        return [...found].map((document) => index.ids[document] as string);
      }
      case 'frequencies':
        return countDocumentFrequencies(index, asking.spaces, asking.terms);
      case 'tagged':
        return findByTag(index, asking.query);
      case 'nearest':
        return findNearest(index, this.#buffers, asking.query);
      case 'size':
        return this.#sizeOf(asking.accountId);
    }
  }

  /**
   * The first page ranks anew; those that follow go on in the order of the first, so that none
   * repeats or loses a result while others write.
   */
  #page(
    index: AccountIndex,
    of: string,
    { accountId, query, page }: { accountId: string; query: IndexQuery; page: PageRequest },
  ): HitPage {
    const key = `${of} ${query.threshold} ${query.cacheKey}`;
    return this.#search(index, query, (search) => {
      const earlier = page.isContinuation || page.offset > 0 ? this.#rankings.get(key) : undefined;
      const ranking = earlier?.ranking ?? search.rank();
      this.#cacheRanking(key, { accountId, ranking });
      return search.page(ranking, page);
    });
  }

  #all(index: AccountIndex, query: IndexQuery): AllHits {
    return this.#search(index, query, (search) => search.allHits(search.rank()));
  }

  #groups(index: AccountIndex, query: IndexQuery, by: GroupBy, limit: number): GroupedHits {
    return this.#search(index, query, (search) => {
      const ranking = search.rank();
      return { total: ranking.documents.length, groups: search.groups(ranking, by, limit) };
    });
  }

  #search<T>(index: AccountIndex, query: IndexQuery, show: (search: Search) => T): T {
    try {
      const search = new Search(index, this.#buffers, query);
      const shown = show(search);
      search.release();
      return shown;
    } catch (error) {
      // What a fault leaves behind must not weigh in the next search.
      this.#buffers = new SearchBuffers();
      throw error;
    }
  }

  #cacheRanking(key: string, kept: CachedRanking): void {
    this.#evictRanking(key);
    this.#rankings.set(key, kept);
    this.#rankingBytes += cachedRankingBytes(key, kept);
    for (const oldest of this.#rankings.keys()) {
      if (this.#rankingBytes <= rankingCacheBytesMax || oldest === key) return;
      this.#evictRanking(oldest);
    }
  }

  #evictRanking(key: string): void {
    const kept = this.#rankings.get(key);
    if (!kept) return;
    this.#rankings.delete(key);
    this.#rankingBytes -= cachedRankingBytes(key, kept);
  }

  #sizeOf(accountId: string): AccountSize {
    const { kinds } = this.#account(accountId);
    const size = { documents: 0, deletedDocuments: 0, bytes: 0 };
    for (const index of kinds.values()) {
      size.documents += index.columns.length;
      size.deletedDocuments += index.columns.length - index.liveCount;
      size.bytes += estimateIndexBytes(index);
    }
    return size;
  }

  #index(accountId: string, kind: string): AccountIndex {
    const { dimensions, kinds } = this.#account(accountId);
    const known = kinds.get(kind);
    if (known) return known;
    const arena = this.#arenas.get(dimensions) ?? new VectorArena(dimensions);
    this.#arenas.set(dimensions, arena);
    const fresh = new AccountIndex(dimensions, arena);
    kinds.set(kind, fresh);
    return fresh;
  }

  #account(accountId: string): LoadedAccount {
    return this.#accounts.get(accountId) ?? this.#createAccount(accountId, this.#dimensions);
  }

  #createAccount(accountId: string, dimensions: number): LoadedAccount {
    const fresh = { dimensions, kinds: new Map<string, AccountIndex>() };
    this.#accounts.set(accountId, fresh);
    return fresh;
  }

  #dropAccount(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    for (const index of account.kinds.values()) index.free();
    this.#accounts.delete(accountId);
    for (const [key, kept] of this.#rankings) {
      if (kept.accountId === accountId) this.#evictRanking(key);
    }
    // What a model that was left took goes with its last account.
    for (const { dimensions } of this.#accounts.values()) {
      if (dimensions === account.dimensions) return;
    }
    this.#arenas.delete(account.dimensions);
  }
}
