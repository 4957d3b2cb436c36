import type { DocumentRow, VectorRow } from '../account/document-row.ts';
import type { OwnerFilter } from '../account/owners.ts';
import type { DocumentKind, Successors } from '../model.ts';
import type { GroupBy, ResultGroup } from '../ranking/groups.ts';
import type { IndexQuery } from '../ranking/query.ts';
import type { HitPage, HitPageRequest } from '../ranking/search.ts';
import type { ModelScale } from '../scale/model-scale.ts';
import type { SegmentFault, SegmentIdentity } from '../segments/format.ts';
import type { IndexDifferences } from '../segments/index-description.ts';

export interface SalienceChange {
  readonly id: string;
  readonly salience: number;
  readonly atMs: number;
}

/** The whole result set, best first. */
export interface AllHits {
  readonly ids: readonly string[];
  readonly scores: Float64Array;
}

/** The number of matches, and the largest groups. */
export interface GroupedHits {
  readonly total: number;
  readonly groups: readonly ResultGroup<string>[];
}

export interface NearDocument {
  readonly id: string;
  readonly similarity: number;
  /** Position of its last change other than that of its vector alone. */
  readonly position: number;
  /** Whether another document supersedes it, be that visible or not. */
  readonly isSuperseded: boolean;
}

export interface NearestQuery {
  /** The document that others are near to, or else a vector. */
  readonly source: { readonly documentId: string } | { readonly vector: Float32Array };
  /** Null: the whole account. */
  readonly spaces: readonly (string | null)[] | null;
  readonly owner?: OwnerFilter;
  /** Of the similarity. */
  readonly threshold: number;
  /** On which scale the similarity is: that of the model, or that of the shipped encoder. */
  readonly scale: 'model' | 'encoder';
  readonly limit: number;
}

export interface TagQuery {
  readonly tag: string;
  /** Null: the whole account. */
  readonly spaces: readonly (string | null)[] | null;
  readonly owner?: OwnerFilter;
  readonly limit: number;
}

/** The first matches, and the total number. */
export interface TagMatches {
  readonly ids: readonly string[];
  readonly total: number;
}

export interface TermFrequencies {
  /** Number of visible documents. */
  readonly documents: number;
  /** Number of visible documents per term, in the order of the terms. */
  readonly frequencies: readonly number[];
}

/** Size of an account's index. */
export interface AccountIndexSize {
  readonly documents: number;
  /** Of the documents. */
  readonly deletedDocuments: number;
  /** Estimated memory. */
  readonly bytes: number;
}

/** Messages to the search thread; they have no response. */
export type SearchWorkerMessage =
  /** Loads an account again, starting empty. */
  | { readonly kind: 'open'; readonly accountId: string; readonly dimensions: number }
  | { readonly kind: 'rows'; readonly accountId: string; readonly rows: readonly DocumentRow[] }
  /** New vectors of documents that are otherwise unchanged. */
  | {
      readonly kind: 'vectors';
      readonly accountId: string;
      readonly rows: readonly VectorRow[];
    }
  /** What supersedes documents that are otherwise unchanged. */
  | {
      readonly kind: 'successors';
      readonly accountId: string;
      readonly rows: readonly Successors[];
      /** Of the change. */
      readonly position: number;
    }
  | {
      readonly kind: 'salience';
      readonly accountId: string;
      readonly values: readonly SalienceChange[];
    }
  /** The scale of the account's model; null: the ranker is fitted for it. */
  | { readonly kind: 'scale'; readonly accountId: string; readonly scale: ModelScale | null }
  | { readonly kind: 'drop'; readonly accountId: string };

/** Requests to the search thread with their responses. About memories unless stated otherwise. */
export interface SearchWorkerRequests {
  page: { of?: DocumentKind; query: IndexQuery; page: HitPageRequest; answer: HitPage };
  /** Places from 0 in the ranking that `page` has made for the query; null for no match. */
  places: {
    of?: DocumentKind;
    query: IndexQuery;
    ids: readonly string[];
    answer: readonly (number | null)[];
  };
  all: { query: IndexQuery; answer: AllHits };
  groups: { query: IndexQuery; by: GroupBy; limit: number; answer: GroupedHits };
  /** Documents that contain all of the terms, in any order. */
  holding: {
    of?: DocumentKind;
    spaces: readonly (string | null)[] | null;
    terms: readonly string[];
    answer: readonly string[];
  };
  /** Number of documents that contain each of the terms. */
  frequencies: {
    spaces: readonly (string | null)[] | null;
    terms: readonly string[];
    answer: TermFrequencies;
  };
  tagged: { query: TagQuery; answer: TagMatches };
  nearest: { query: NearestQuery; answer: readonly NearDocument[] | null };
  size: { answer: AccountIndexSize };
  /** Writes the account's index to a new file: its bytes; null if it is not loaded any more. */
  writeSegment: { file: string; segment: SegmentIdentity; answer: number | null };
  /** Compares a loaded segment with an index that was rebuilt under another id. */
  compareIndexes: {
    rebuiltId: string;
    changedVectors: readonly string[];
    answer: IndexDifferences;
  };
  /** Loads an account that was opened and is empty. */
  loadSegment: { file: string; segment: SegmentIdentity; answer: SegmentLoad };
}

/** Whether an account was loaded from a segment; `dropped`: it was dropped meanwhile. */
export type SegmentLoad =
  | { readonly result: 'loaded' }
  | { readonly result: SegmentFault | 'dropped'; readonly message: string };

export type SearchRequestKind = keyof SearchWorkerRequests;
export type SearchWorkerRequest<K extends SearchRequestKind = SearchRequestKind> =
  K extends SearchRequestKind
    ? { readonly kind: K; readonly accountId: string } & Omit<SearchWorkerRequests[K], 'answer'>
    : never;

export interface SearchWorkerOptions {
  /** Default for accounts without an `open` message. */
  readonly dimensions: number;
  /** Started before the first request: it reads what requests will need. */
  readonly isAhead?: boolean;
}
