import { deserialize, serialize } from 'node:v8';
import type {
  SearchRequestKind,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from '../thread/protocol.ts';

export const forwardedSearchPath = '/internal/search';
export const forwardedSearchType = 'application/vnd.mneme.search';
/** Lower case, as Node has names of headers. */
export const signatureHeader = 'mneme-search-signature';
/** Of the body of a request; a larger search, of very long lists of ids, is not forwarded. */
export const searchBytesMax = 32 * 2 ** 20;
/** Of the response: the ids of millions of matches. */
export const responseBytesMax = 256 * 2 ** 20;

/** Requests that read the index, whichever process has it. Others write files of a process. */
const forwardableKinds: ReadonlySet<SearchRequestKind> = new Set([
  'page',
  'places',
  'all',
  'groups',
  'holding',
  'frequencies',
  'tagged',
  'nearest',
] as const);

export const isForwardable = ({ kind }: { readonly kind: SearchRequestKind }): boolean =>
  forwardableKinds.has(kind);

/** A search as one process sends it to another: what the caller may see is a part of it. */
export interface ForwardedSearch {
  readonly request: SearchWorkerRequest;
  /** Of the vector in the request. */
  readonly model: string | undefined;
  /** Only if hardly anything has to be loaded. */
  readonly isIfLoaded: boolean;
}

export type SearchAnswer = SearchWorkerRequests[SearchRequestKind]['answer'];

export type ForwardedOutcome =
  | { readonly status: 'answered'; readonly answer: SearchAnswer | null }
  /** The account uses another embedding model now. */
  | { readonly status: 'model_changed'; readonly model: string }
  | { readonly status: 'failed' };

/** Null: it is too large to forward. */
export function encodeSearch(search: ForwardedSearch): Buffer | null {
  const bytes = serialize(search);
  return bytes.length <= searchBytesMax ? bytes : null;
}

/** Only of bytes whose signature is valid: another process of this release has made them. */
export function decodeSearch(bytes: Uint8Array): ForwardedSearch {
  const search = deserialize(bytes) as ForwardedSearch;
  return { ...search, request: withOwnVector(search.request) };
}

export const encodeOutcome = (outcome: ForwardedOutcome): Buffer => serialize(outcome);
export const decodeOutcome = (bytes: Uint8Array): ForwardedOutcome =>
  deserialize(bytes) as ForwardedOutcome;

/** A decoded vector is a view of the whole message, which a thread would get with it. */
function withOwnVector(request: SearchWorkerRequest): SearchWorkerRequest {
  if (!('query' in request)) return request;
  const { query } = request;
  if ('vector' in query && query.vector !== null) {
    const copied = { ...query, vector: query.vector.slice() };
    return { ...request, query: copied } as SearchWorkerRequest;
  }
  if ('source' in query && 'vector' in query.source) {
    const copied = { ...query, source: { vector: query.source.vector.slice() } };
    return { ...request, query: copied } as SearchWorkerRequest;
  }
  return request;
}
