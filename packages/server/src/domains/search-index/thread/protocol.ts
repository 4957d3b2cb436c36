import type { DocumentRow } from '../account/account-index.ts';
import type { DocumentKind } from '../model.ts';
import type { Group, GroupBy } from '../ranking/groups.ts';
import type { IndexQuery } from '../ranking/query.ts';
import type { HitPage, PageRequest } from '../ranking/search.ts';

export interface SalienceChange {
  readonly id: string;
  readonly salience: number;
}

/** The whole result set, best first. */
export interface AllHits {
  readonly ids: readonly string[];
  readonly scores: Float64Array;
}

/** How much matches in all, and the largest groups of it. */
export interface GroupedHits {
  readonly total: number;
  readonly groups: readonly Group<string>[];
}

export interface SimilarDocument {
  readonly id: string;
  readonly similarity: number;
}

export interface NearestQuery {
  readonly documentId: string;
  /** Null: all of the account. */
  readonly spaces: readonly (string | null)[] | null;
  readonly threshold: number;
  readonly limit: number;
}

export interface TagQuery {
  readonly tag: string;
  /** Null: all of the account. */
  readonly spaces: readonly (string | null)[] | null;
  readonly limit: number;
}

/** The first of them, and how many there are. */
export interface TagMatches {
  readonly ids: readonly string[];
  readonly total: number;
}

export interface TermFrequencies {
  /** All that may be seen. */
  readonly documents: number;
  /** Of them, in the order of the terms. */
  readonly frequencies: readonly number[];
}

/** What is kept of an account. */
export interface AccountSize {
  readonly documents: number;
  /** Of the documents. */
  readonly deletedDocuments: number;
  /** About as many as it takes in memory. */
  readonly bytes: number;
}

/** What the search thread is told; it answers nothing. */
export type SearchWorkerMessage =
  /** An account begins anew, empty. */
  | { readonly kind: 'open'; readonly accountId: string; readonly dimensions: number }
  | { readonly kind: 'rows'; readonly accountId: string; readonly rows: readonly DocumentRow[] }
  | {
      readonly kind: 'salience';
      readonly accountId: string;
      readonly values: readonly SalienceChange[];
      readonly atMs: number;
    }
  | { readonly kind: 'drop'; readonly accountId: string };

/** What it is asked, and the form of each answer. Of memories, unless told otherwise. */
export interface SearchWorkerRequests {
  page: { of?: DocumentKind; query: IndexQuery; page: PageRequest; answer: HitPage };
  all: { query: IndexQuery; answer: AllHits };
  groups: { query: IndexQuery; by: GroupBy; limit: number; answer: GroupedHits };
  /** Which documents hold all of the terms, whatever their order. */
  holding: {
    of?: DocumentKind;
    spaces: readonly (string | null)[] | null;
    terms: readonly string[];
    answer: readonly string[];
  };
  /** How many documents hold each of the terms. */
  frequencies: {
    spaces: readonly (string | null)[] | null;
    terms: readonly string[];
    answer: TermFrequencies;
  };
  tagged: { query: TagQuery; answer: TagMatches };
  nearest: { query: NearestQuery; answer: readonly SimilarDocument[] | null };
  size: { answer: AccountSize };
}

export type SearchRequestKind = keyof SearchWorkerRequests;
export type SearchWorkerRequest<K extends SearchRequestKind = SearchRequestKind> =
  K extends SearchRequestKind
    ? { readonly kind: K; readonly accountId: string } & Omit<SearchWorkerRequests[K], 'answer'>
    : never;

export interface SearchWorkerOptions {
  /** Of accounts that nothing else is told of. */
  readonly dimensions: number;
}
