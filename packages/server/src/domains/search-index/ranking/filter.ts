import type { AccountIndex } from '../account/account-index.ts';
import type { OwnerFilter } from '../account/owners.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { IndexQuery, SearchFilters } from './query.ts';

export type DocumentPredicate = (document: number) => boolean;

export interface DocumentFilter {
  readonly passes: DocumentPredicate;
  /**
   * The documents, dead ones as well, among which all are that pass, in the order of their numbers;
   * null: no list of such documents is known.
   */
  readonly holders: Int32Array | null;
}

/** Creates the filter of a query over the documents of the scope. */
export function createDocumentFilter(
  index: AccountIndex,
  scope: SearchScope,
  query: IndexQuery,
): DocumentFilter {
  const tests: DocumentPredicate[] = [];
  const { filters } = query;
  const numbers = (ids: readonly string[]): Set<number> =>
    new Set(ids.flatMap((id) => index.findNumber(id) ?? []));
  const lists: Int32Array[] = [];
  for (const ids of [query.phraseMatches, filters.includedIds]) {
    if (!ids) continue;
    const included = numbers(ids);
    tests.push((document) => included.has(document));
    lists.push(Int32Array.from(included).sort());
  }
  if (filters.excludedIds && filters.excludedIds.length > 0) {
    const dropped = numbers(filters.excludedIds);
    tests.push((document) => !dropped.has(document));
  }
  for (const terms of query.excludedTerms) {
    const banned = documentsWithAllTerms(index, scope, terms);
    if (banned.size > 0) tests.push((document) => !banned.has(document));
  }
  tests.push(...factPredicates(index, filters));
  lists.push(...holderLists(index, filters));
  return {
    passes: tests.length === 0 ? () => true : (document) => tests.every((test) => test(document)),
    holders: shortest(lists) ?? documentsOfOwners(index, filters.owner),
  };
}

/** The documents with each of the tags, and those with any of the others. */
function holderLists({ tagDocuments }: AccountIndex, filters: SearchFilters): Int32Array[] {
  const { tags = [], tagsAny } = filters;
  const lists = tags.map((tag) => tagDocuments.of(tag));
  if (!tagsAny) return lists;
  const holding = new Set(tagsAny.flatMap((tag) => [...tagDocuments.of(tag)]));
  return [...lists, Int32Array.from(holding).sort()];
}

const shortest = (lists: readonly Int32Array[]): Int32Array | null =>
  lists.toSorted((a, b) => a.length - b.length)[0] ?? null;

function documentsOfOwners(index: AccountIndex, owner: OwnerFilter | undefined): Int32Array | null {
  const owners = index.owners.matching(owner);
  if (owners === null) return null;
  const isMatching = new Uint8Array(index.owners.all.length);
  for (const number of owners) isMatching[number] = 1;
  const documents: number[] = [];
  for (let document = 0; document < index.columns.length; document += 1) {
    if (isMatching[index.columns.owner[document] as number] === 1) documents.push(document);
  }
  return Int32Array.from(documents);
}

function factPredicates(index: AccountIndex, filters: SearchFilters): DocumentPredicate[] {
  const { columns } = index;
  const tests: DocumentPredicate[] = [];
  const { owner, tags, tagsAny, contentType, minPriority } = filters;
  const owners = index.owners.matching(owner);
  if (owners) tests.push((one) => owners.has(columns.owner[one] as number));
  if (tags) tests.push((one) => tags.every((tag) => index.tags[one]?.includes(tag)));
  if (tagsAny) tests.push((one) => tagsAny.some((tag) => index.tags[one]?.includes(tag)));
  if (contentType !== undefined) {
    const type = index.contentTypes.find(contentType);
    tests.push((one) => columns.contentType[one] === type);
  }
  if (minPriority !== undefined) {
    tests.push((one) => (columns.priority[one] as number) >= minPriority);
  }
  const between = (
    at: 'createdAt' | 'occurredAt',
    after: number | undefined,
    before: number | undefined,
  ): void => {
    if (after !== undefined) tests.push((one) => (columns[at][one] as number) >= after);
    if (before !== undefined) tests.push((one) => (columns[at][one] as number) < before);
  };
  between('createdAt', filters.createdAfter, filters.createdBefore);
  between('occurredAt', filters.occurredAfter, filters.occurredBefore);
  return tests;
}

/**
 * Live documents of the scope that contain all of the terms; all documents if there are no terms.
 */
export function documentsWithAllTerms(
  index: AccountIndex,
  scope: SearchScope,
  terms: readonly string[],
): Set<number> {
  if (terms.length === 0) return documentsOf(index, scope);
  const holders = (term: string): number => index.terms.documentFrequency(term);
  let matching: Set<number> | null = null;
  for (const term of terms.toSorted((a, b) => holders(a) - holders(b))) {
    const holding = new Set<number>();
    for (const passage of index.terms.find(term)?.passages ?? []) {
      const document = index.passageDocument.at(passage);
      if (matching !== null && !matching.has(document)) continue;
      if (!index.isLive(document)) continue;
      if (scope.visible[index.columns.space[document] as number] === 1) holding.add(document);
    }
    matching = holding;
    if (holding.size === 0) break;
  }
  return matching ?? new Set();
}

function documentsOf(index: AccountIndex, scope: SearchScope): Set<number> {
  const documents = scope.spaces.flatMap((space) => [...space.documents.view()]);
  return new Set(documents.filter((document) => index.isLive(document)));
}
