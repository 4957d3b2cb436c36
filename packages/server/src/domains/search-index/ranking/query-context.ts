import type { AccountIndex } from '../account/account-index.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { SearchBuffers } from './buffers.ts';
import { centreQuery, computeCosines, isNarrowScope } from './cosine.ts';
import type { QueryContext } from './features.ts';
import { documentsWithAllTerms } from './filter.ts';
import { fuzzyTerms } from './fuzzy-terms.ts';
import { KeywordMatcher } from './keyword-matcher.ts';
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
 */
export function createQueryContext(
  index: AccountIndex,
  buffers: SearchBuffers,
  query: IndexQuery,
): QueryContext {
  const scope = index.scope(query.spaces);
  buffers.ensureCapacity(
    index.columns.length,
    index.passageDocument.length,
    index.sessions.all.length,
  );
  computeCosines(index, scope, query.vector, buffers.semantic);
  const terms = [...new Set(query.terms)].slice(0, termsMax);
  let lookups = 0;
  const alternativesTo = (term: string): readonly string[] => {
    lookups += 1;
    if (lookups > fuzzyLookupsMax) return [];
    return fuzzyTerms(index.terms, term, query.text, (other) =>
      documentFrequency(index, scope, other),
    );
  };
  const matcher = new KeywordMatcher(index, scope, buffers);
  const matches = matcher.match(terms, alternativesTo, new Set(query.fragments));
  if (query.vector !== null) touchSimilar(index, scope, buffers);
  const passages = createPassageCosines(index, scope, query.vector, buffers.semantic);
  for (const [document, cosine] of passages?.best ?? []) {
    if (cosine >= passageCosineMin) buffers.touch(document);
  }
  const numbersOf = (ids: readonly string[]): number[] =>
    ids.flatMap((id) => index.findNumber(id) ?? []);
  for (const document of numbersOf(query.phraseMatches ?? [])) buffers.touch(document);
  const speaker = namedSpeaker(index, scope, query.intent.names);
  return {
    index,
    buffers,
    scope,
    query,
    matches,
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

/** Touches the documents that match by their vector; computes the largest cosine of each session. */
function touchSimilar(index: AccountIndex, scope: SearchScope, buffers: SearchBuffers): void {
  const { session } = index.columns;
  const { semantic, sessionSimilarity } = buffers;
  const hasSessions = index.sessions.all.length > 0;
  forEachVisible(index, scope, (document) => {
    const cosine = semantic[document] as number;
    if (cosine >= cosineMin) buffers.touch(document);
    if (!hasSessions) return;
    const number = session[document] as number;
    if (cosine > (sessionSimilarity[number] ?? cosine)) sessionSimilarity[number] = cosine;
  });
}

/** Null without vectors of passages. */
const createPassageCosines = (
  index: AccountIndex,
  scope: SearchScope,
  vector: Float32Array | null,
  wholeCosines: Float32Array,
): PassageCosines | null => {
  const { passageVectors } = index;
  if (vector === null || passageVectors === null) return null;
  const query = centreQuery(scope, vector);
  return new PassageCosines(index, passageVectors, scope, query, wholeCosines);
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
