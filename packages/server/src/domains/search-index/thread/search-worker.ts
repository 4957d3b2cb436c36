import { AccountIndex } from '../account/account-index.ts';
import { VectorArena } from '../account/arena.ts';
import type { DotProductHelper } from '../account/chunk-task.ts';
import { estimateIndexBytes } from '../account/index-size.ts';
import { SearchBuffers } from '../ranking/buffers.ts';
import { countDocumentFrequencies } from '../ranking/document-frequencies.ts';
import { documentsWithAllTerms } from '../ranking/filter.ts';
import type { GroupBy } from '../ranking/groups.ts';
import { findNearestDocuments } from '../ranking/nearest.ts';
import { emptyRanking, placesOf, type RankingInput } from '../ranking/order.ts';
import type { IndexQuery } from '../ranking/query.ts';
import { type HitPage, type HitPageRequest, Search } from '../ranking/search.ts';
import { findDocumentsByTag } from '../ranking/tag-lookup.ts';
import type { ModelScale } from '../scale/model-scale.ts';
import { IndexDropped, SegmentUnusable } from '../segments/format.ts';
import { compareIndexes, type IndexDifferences } from '../segments/index-description.ts';
import { readSegmentFile, writeSegmentFile } from '../segments/segment-file.ts';
import type {
  AccountIndexSize,
  AllHits,
  GroupedHits,
  SearchRequestKind,
  SearchWorkerMessage,
  SearchWorkerRequest,
  SearchWorkerRequests,
  SegmentLoad,
} from './protocol.ts';

/** Rankings cached for later pages, over all accounts. */
const rankingCacheBytesMax = 18_000_000;

/** The indexes of an account, by kind of document. */
interface LoadedAccount {
  readonly dimensions: number;
  readonly kinds: Map<string, AccountIndex>;
  scale: ModelScale | null;
}

interface CachedRanking {
  readonly accountId: string;
  readonly ranking: RankingInput;
}

const rankingKey = (prefix: string, { threshold, cacheKey }: IndexQuery): string =>
  `${prefix} ${threshold} ${cacheKey}`;

/** An empty ranking also uses memory: its key contains the query. */
const cachedRankingBytes = (
  key: string,
  { ranking: { documents, sortValues, rest } }: CachedRanking,
): number =>
  1_000 + key.length * 2 + documents.byteLength + sortValues.byteLength + rest.byteLength;

type Answer<K extends SearchRequestKind> = SearchWorkerRequests[K]['answer'];

/** The indexes of the accounts that are searched; executes one request at a time. */
export class SearchWorker {
  readonly #dimensions: number;
  readonly #helper: DotProductHelper | null;
  /** By number of dimensions; there are two while a model changes. */
  readonly #arenas = new Map<number, VectorArena>();
  #buffers = new SearchBuffers();
  readonly #accounts = new Map<string, LoadedAccount>();
  /** By query, in order of last use. */
  readonly #rankings = new Map<string, CachedRanking>();
  #rankingBytes = 0;

  /** @param helper takes part in searches of large accounts */
  constructor(dimensions: number, helper: DotProductHelper | null = null) {
    this.#dimensions = dimensions;
    this.#helper = helper;
    this.#arenas.set(dimensions, new VectorArena(dimensions, helper));
  }

  handleMessage(message: SearchWorkerMessage): void {
    const { accountId } = message;
    switch (message.kind) {
      case 'drop':
        this.#dropAccount(accountId);
        break;
      case 'open':
        this.#dropAccount(accountId);
        this.#createAccount(accountId, message.dimensions);
        break;
      case 'rows':
        for (const row of message.rows) this.#index(accountId, row.kind).apply(row);
        break;
      case 'vectors':
        for (const index of this.#account(accountId).kinds.values()) {
          for (const row of message.rows) index.setVectors(row);
        }
        break;
      case 'successors':
        for (const index of this.#account(accountId).kinds.values()) {
          for (const row of message.rows) index.setSuccessors(row, message.position);
        }
        break;
      case 'scale':
        this.#setScale(accountId, message.scale);
        break;
      case 'salience':
        for (const { id, salience, atMs } of message.values) {
          this.#accounts.get(accountId)?.kinds.get('memory')?.setSalience(id, salience, atMs);
        }
    }
  }

  handleRequest(
    request: SearchWorkerRequest,
  ): Answer<typeof request.kind> | Promise<Answer<typeof request.kind>> {
    if (request.kind === 'writeSegment') return this.#writeSegment(request);
    if (request.kind === 'loadSegment') return this.#loadSegment(request);
    if (request.kind === 'compareIndexes') return this.#compareIndexes(request);
    const kind = ('of' in request && request.of) || 'memory';
    const index = this.#index(request.accountId, kind);
    switch (request.kind) {
      case 'page':
        return this.#page(index, `${request.accountId} ${kind}`, request);
      case 'places':
        return this.#places(index, `${request.accountId} ${kind}`, request);
      case 'all':
        return this.#all(index, request.query);
      case 'groups':
        return this.#groups(index, request.query, request.by, request.limit);
      case 'holding': {
        const documents = documentsWithAllTerms(index, index.scope(request.spaces), request.terms);
        return [...documents].map((document) => index.ids.at(document));
      }
      case 'frequencies':
        return countDocumentFrequencies(index, request.spaces, request.terms);
      case 'tagged':
        return findDocumentsByTag(index, request.query);
      case 'nearest':
        return findNearestDocuments(index, this.#buffers, request.query);
      case 'size':
        return this.#sizeOf(request.accountId);
    }
  }

  /**
   * The first page creates a ranking; later pages reuse its order, so that none repeats or skips a
   * result during concurrent writes.
   */
  #page(
    index: AccountIndex,
    keyPrefix: string,
    { accountId, query, page }: { accountId: string; query: IndexQuery; page: HitPageRequest },
  ): HitPage {
    const key = rankingKey(keyPrefix, query);
    if (index.columns.length === 0 && page.why === undefined) {
      this.#cacheRanking(key, { accountId, ranking: emptyRanking });
      return { total: 0, hits: [], filler: [] };
    }
    const isLater = page.isContinuation === true || page.offset > 0;
    const run = (search: Search): HitPage => {
      const cached = isLater ? this.#rankings.get(key) : undefined;
      // The place of a document can be any.
      const places = page.why === undefined ? page.offset + page.limit : undefined;
      const ranking = cached ? search.extend(cached.ranking, places) : search.rank(places);
      this.#cacheRanking(key, { accountId, ranking });
      return search.page(ranking, page);
    };
    return this.#search(index, query, run, isLater || page.why !== undefined);
  }

  #places(
    index: AccountIndex,
    keyPrefix: string,
    { query, ids }: { query: IndexQuery; ids: readonly string[] },
  ): readonly (number | null)[] {
    const cached = this.#rankings.get(rankingKey(keyPrefix, query));
    const run = (search: Search): readonly (number | null)[] =>
      placesOf(index, cached ? search.extend(cached.ranking) : search.rank(), ids);
    return this.#search(index, query, run, true);
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

  #search<T>(
    index: AccountIndex,
    query: IndexQuery,
    run: (search: Search) => T,
    evaluatesAll = false,
  ): T {
    try {
      const search = new Search(index, this.#buffers, query, evaluatesAll);
      const page = run(search);
      search.release();
      return page;
    } catch (error) {
      // State left behind by an error must not affect the next search.
      this.#buffers = new SearchBuffers();
      throw error;
    }
  }

  #cacheRanking(key: string, cached: CachedRanking): void {
    this.#evictRanking(key);
    this.#rankings.set(key, cached);
    this.#rankingBytes += cachedRankingBytes(key, cached);
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

  #sizeOf(accountId: string): AccountIndexSize {
    const { kinds } = this.#account(accountId);
    const size = { documents: 0, deletedDocuments: 0, bytes: 0 };
    for (const index of kinds.values()) {
      size.documents += index.columns.length;
      size.deletedDocuments += index.columns.length - index.liveCount;
      size.bytes += estimateIndexBytes(index);
    }
    return size;
  }

  /** Requests run in between: the segment is of the moment at which this is called. */
  async #writeSegment({
    accountId,
    file,
    segment,
  }: SearchWorkerRequest<'writeSegment'>): Promise<number | null> {
    const account = this.#accounts.get(accountId);
    if (!account) return null;
    const isOpen = (): boolean => this.#accounts.get(accountId) === account;
    try {
      return await writeSegmentFile(file, segment, account.kinds, isOpen);
    } catch (error) {
      if (error instanceof IndexDropped) return null;
      throw error;
    }
  }

  async #loadSegment({
    accountId,
    file,
    segment,
  }: SearchWorkerRequest<'loadSegment'>): Promise<SegmentLoad> {
    const account = this.#account(accountId);
    const loaded = new Map<string, AccountIndex>();
    const free = (): void => {
      for (const index of loaded.values()) index.free();
    };
    try {
      await readSegmentFile(file, segment, (kind) => {
        const index = this.#createIndex(account);
        loaded.set(kind, index);
        return index;
      });
    } catch (error) {
      free();
      if (!(error instanceof SegmentUnusable)) throw error;
      return { result: error.fault, message: error.message };
    }
    if (this.#accounts.get(accountId) !== account || account.kinds.size > 0) {
      free();
      return { result: 'dropped', message: 'the account was dropped' };
    }
    for (const [kind, index] of loaded) account.kinds.set(kind, index);
    return { result: 'loaded' };
  }

  #compareIndexes({
    accountId,
    rebuiltId,
    changedVectors,
  }: SearchWorkerRequest<'compareIndexes'>): IndexDifferences {
    const kinds = [accountId, rebuiltId].flatMap((id) => [...this.#account(id).kinds.keys()]);
    const compared = [...new Set(kinds)].map((kind) =>
      compareIndexes(
        this.#index(accountId, kind),
        this.#index(rebuiltId, kind),
        new Set(changedVectors),
      ),
    );
    return {
      differing: compared.flatMap(({ differing }) => differing),
      unmatched: compared.flatMap(({ unmatched }) => unmatched),
      wrongFrequencies: compared.reduce((sum, { wrongFrequencies }) => sum + wrongFrequencies, 0),
    };
  }

  #index(accountId: string, kind: string): AccountIndex {
    const account = this.#account(accountId);
    const existing = account.kinds.get(kind);
    if (existing) return existing;
    const created = this.#createIndex(account);
    account.kinds.set(kind, created);
    return created;
  }

  #createIndex({ dimensions, scale }: LoadedAccount): AccountIndex {
    const arena = this.#arenas.get(dimensions) ?? new VectorArena(dimensions, this.#helper);
    this.#arenas.set(dimensions, arena);
    const created = new AccountIndex(dimensions, arena);
    created.setScale(scale);
    return created;
  }

  #account(accountId: string): LoadedAccount {
    return this.#accounts.get(accountId) ?? this.#createAccount(accountId, this.#dimensions);
  }

  #createAccount(accountId: string, dimensions: number): LoadedAccount {
    const created = { dimensions, kinds: new Map<string, AccountIndex>(), scale: null };
    this.#accounts.set(accountId, created);
    return created;
  }

  #setScale(accountId: string, scale: ModelScale | null): void {
    const account = this.#account(accountId);
    account.scale = scale;
    for (const index of account.kinds.values()) index.setScale(scale);
  }

  #dropAccount(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    for (const index of account.kinds.values()) index.free();
    this.#accounts.delete(accountId);
    for (const [key, kept] of this.#rankings) {
      if (kept.accountId === accountId) this.#evictRanking(key);
    }
    // The arena of a model that is no longer used is freed with its last account.
    for (const { dimensions } of this.#accounts.values()) {
      if (dimensions === account.dimensions) return;
    }
    this.#arenas.get(account.dimensions)?.close();
    this.#arenas.delete(account.dimensions);
  }
}
