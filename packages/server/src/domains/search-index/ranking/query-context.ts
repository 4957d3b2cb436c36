import type { AccountIndex } from '../account/account-index.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import { type Candidates, findCandidates } from './candidates.ts';
import { beginCosines, centreQuery, isNarrowScope, listsOf } from './cosine.ts';
import type { QueryContext } from './features.ts';
import { type DocumentFilter, documentsWithAllTerms } from './filter.ts';
import { fuzzyTerms } from './fuzzy-terms.ts';
import { KeywordMatcher } from './keyword-matcher.ts';
import { KeywordScores } from './keyword-scores.ts';
import { PassageCosines } from './passage-cosines.ts';
import type { IndexQuery } from './query.ts';
import { rankers } from './weights.ts';

/** Below this cosine two texts are unrelated. */
const cosineMin = 0.25;
/** The best of many passages is nearer by chance. */
const passageCosineMin = 0.4;
/** More distinct terms than a question has; a long pasted text is cut off here. */
const termsMax = 160;
/** At most this many unknown terms are spell-checked: each costs about a millisecond. */
const fuzzyLookupsMax = 8;

/**
 * Computes cosines and matches words; the matching documents are those that the buffers list.
 * The caller clears the buffers.
 * @param filter Of a selective one, only what passes it is evaluated; null: all documents are.
 */
export function createQueryContext(
  index: AccountIndex,
  buffers: SearchBuffers,
  query: IndexQuery,
  scope = index.scope(query.spaces),
  filter: DocumentFilter | null = null,
): QueryContext {
  buffers.ensureCapacity(
    index.columns.length,
    index.passageDocument.length,
    index.sessions.all.length,
  );
  const candidates = filter && findCandidates(index, scope, filter, buffers);
  const evaluated = candidates?.withNeighbours;
  const finishCosines = beginCosines(index, scope, query.vector, buffers.semantic, evaluated);
  const terms = [...new Set(query.terms)].slice(0, termsMax);
  let lookups = 0;
  const alternativesTo = (term: string): readonly string[] => {
    lookups += 1;
    if (lookups > fuzzyLookupsMax) return [];
    return fuzzyTerms(index.terms, term, query.text, (other) =>
      documentFrequency(index, scope, other),
    );
  };
  const fragments = new Set(query.fragments);
  // How frequent a fragment is, is counted among all documents that other terms match.
  const wanted = candidates && fragments.size === 0 ? buffers.candidateMark : null;
  const matcher = new KeywordMatcher(index, scope, buffers, wanted);
  const matches = matcher.match(terms, alternativesTo, fragments);
  finishCosines();
  if (query.vector !== null) touchSimilar(index, scope, buffers, candidates);
  const passages = createPassageCosines(index, scope, query.vector, buffers.semantic, candidates);
  for (const [document, cosine] of passages?.best ?? []) {
    if (cosine >= passageCosineMin) buffers.touch(document);
  }
  const numbersOf = (ids: readonly string[]): number[] =>
    ids.flatMap((id) => index.findNumber(id) ?? []);
  for (const document of numbersOf(query.phraseMatches ?? [])) {
    if (scope.visible[index.columns.space[document] as number] === 1) buffers.touch(document);
  }
  const speaker = namedSpeaker(index, scope, query.intent.names);
  return {
    index,
    buffers,
    scope,
    query,
    candidates,
    matches,
    keywords: new KeywordScores(index, scope, buffers, matches, wanted),
    passages,
    ranker: rankers[query.ranker],
    speaker,
    isAboutSelf: query.intent.isAboutSelf && speaker < 0,
    withPhrase: new Set(
      numbersOf([...(query.preferredMatches ?? []), ...(query.phraseMatches ?? [])]),
    ),
    factSupport: new Map(
      [...(query.factSupport ?? [])].flatMap(([id, value]) =>
        numbersOf([id]).map((document): [number, number] => [document, value]),
      ),
    ),
  };
}

/** Touches the documents that match by their vector; finds the largest cosine of each session. */
function touchSimilar(
  index: AccountIndex,
  scope: SearchScope,
  buffers: SearchBuffers,
  candidates: Candidates | null,
): void {
  const lists = candidates ? [candidates.withNeighbours] : listsOf(index, scope, null);
  for (const list of lists ?? [null]) {
    touchSimilarIn(list, index, scope, buffers, candidates);
    if (index.sessions.all.length > 0) raiseSessionSimilarities(list, index, buffers);
  }
}

/** @param list null: all documents */
function touchSimilarIn(
  list: Int32Array | null,
  { columns }: AccountIndex,
  { visible }: SearchScope,
  buffers: SearchBuffers,
  candidates: Candidates | null,
): void {
  const { space } = columns;
  const { semantic } = buffers;
  const count = list === null ? columns.length : list.length;
  for (let i = 0; i < count; i += 1) {
    const document = list === null ? i : (list[i] as number);
    // Dead documents have no vector any more: their cosine is 0.
    if ((semantic[document] as number) < cosineMin) continue;
    if (visible[space[document] as number] === 0) continue;
    if (candidates === null || buffers.isCandidate(document)) buffers.touch(document);
  }
}

/** @param list null: all documents */
function raiseSessionSimilarities(
  list: Int32Array | null,
  { columns }: AccountIndex,
  { semantic, sessionSimilarity }: SearchBuffers,
): void {
  const { session } = columns;
  const count = list === null ? columns.length : list.length;
  // The turns of a session often follow each other.
  let current = -1;
  let nearest = 0;
  for (let i = 0; i < count; i += 1) {
    const document = list === null ? i : (list[i] as number);
    const cosine = semantic[document] as number;
    const number = session[document] as number;
    if (number !== current) {
      if (current >= 0) sessionSimilarity[current] = nearest;
      nearest = number < 0 ? 0 : (sessionSimilarity[number] as number);
      current = number;
    }
    if (cosine > nearest) nearest = cosine;
  }
  if (current >= 0) sessionSimilarity[current] = nearest;
}

/** Null without vectors of passages. */
const createPassageCosines = (
  index: AccountIndex,
  scope: SearchScope,
  vector: Float32Array | null,
  wholeCosines: Float32Array,
  candidates: Candidates | null,
): PassageCosines | null => {
  const { passageVectors } = index;
  if (vector === null || passageVectors === null) return null;
  const query = centreQuery(scope, vector);
  const only = candidates?.documents;
  return new PassageCosines(index, passageVectors, scope, query, wholeCosines, only);
};

/** Calls a function with each live document of the scope. */
export function forEachVisible(
  index: AccountIndex,
  scope: SearchScope,
  visit: (document: number) => void,
): void {
  const { columns } = index;
  if (isNarrowScope(index, scope)) {
    for (const { documents } of scope.spaces) {
      for (const document of documents.view()) if (index.isLive(document)) visit(document);
    }
    return;
  }
  for (let document = 0; document < columns.length; document += 1) {
    if (scope.visible[columns.space[document] as number] !== 1) continue;
    if (index.isLive(document)) visit(document);
  }
}

function documentFrequency(index: AccountIndex, scope: SearchScope, term: string): number {
  const cached = index.terms.documentFrequency(term);
  if (cached === 0 || scope.isWholeAccount) return cached;
  return documentsWithAllTerms(index, scope, [term]).size;
}

/** The one speaker of the scope that is named; −1 for none, or for several. */
function namedSpeaker(index: AccountIndex, scope: SearchScope, names: readonly string[]): number {
  const matching = new Set<number>();
  for (const name of names) {
    for (const speaker of index.speakers.withFirstName(name)) {
      if (scope.spaces.some(({ speakers }) => speakers.has(speaker))) matching.add(speaker);
    }
  }
  const [only = -1] = matching;
  return matching.size === 1 ? only : -1;
}
