import type { AccountIndex, IndexedDocument } from './account-index.ts';
import { inverseFrequency } from './model.ts';

/** BM25's saturation and length normalisation. */
const k1 = 1.2;
const b = 0.7;
/** Below this cosine two texts have nothing to do with each other. */
const nearnessMin = 0.25;
/** A memory of so many words lends its passages its whole weight; longer ones less. */
const lendingWords = 20;

export interface CandidateQuery {
  readonly terms: readonly string[];
  /** None of these may occur: each entry is one excluded expression, all of its terms. */
  readonly excluded: readonly (readonly string[])[];
  /** All of these must occur; whether they do so as a phrase is for the caller to see. */
  readonly required: readonly string[];
  readonly vector: Float32Array | null;
  /** The scope of the statistics: what may be seen at all. */
  readonly inScope: (document: IndexedDocument) => boolean;
  /** Narrows the result inside the scope. */
  readonly passes: (document: IndexedDocument) => boolean;
}

/** One document that matches by a term or by nearness, with what a ranker needs to know. */
export interface Candidate {
  readonly document: IndexedDocument;
  /** BM25 of the best passage, 0 without a common term. */
  readonly keyword: number;
  /** Cosine to the query, −1..1. */
  readonly semantic: number;
  /** Share of the query's idf mass that occurs in the document, 0..1. */
  readonly coverage: number;
  /** Share of the document's idf mass that the query covers, 0..1. */
  readonly covered: number;
  readonly matched: readonly string[];
}

export interface Candidates {
  readonly candidates: Candidate[];
  /** Sum of the query's idf, unknown terms at the largest. */
  readonly queryMass: number;
}

interface Scope {
  readonly count: number;
  readonly meanLength: number;
  readonly contains: Uint8Array;
}

/**
 * Every document in scope that passes and matches by a term or by nearness. Statistics (N, df,
 * mean length) are those of the scope, so that what a key may not see does not weigh either.
 */
export function findCandidates(index: AccountIndex, query: CandidateQuery): Candidates {
  const scope = scopeOf(index, query);
  const weights = termWeights(index, query.terms, scope);
  const keyword = keywordScores(index, weights, scope);
  const candidates: Candidate[] = [];
  const queryMass = weights.reduce((sum, { weight }) => sum + weight, 0);
  const bar = bansOf(index, query, scope);
  for (let number = 0; number < index.documents.length; number += 1) {
    const document = index.documents[number];
    if (!document || scope.contains[number] !== 1 || bar(number)) continue;
    const score = keyword.best[number] ?? 0;
    const semantic = query.vector ? index.cosine(query.vector, number) : 0;
    if (score === 0 && semantic < nearnessMin) continue;
    if (!query.passes(document)) continue;
    candidates.push({
      document,
      keyword: score,
      semantic,
      ...coverageOf(index, document, weights, keyword.matches[number] ?? 0, queryMass, scope),
    });
  }
  return { candidates, queryMass };
}

function scopeOf(index: AccountIndex, query: CandidateQuery): Scope {
  const contains = new Uint8Array(index.documents.length);
  let count = 0;
  let length = 0;
  for (let number = 0; number < contains.length; number += 1) {
    const document = index.documents[number];
    if (!document || !query.inScope(document)) continue;
    contains[number] = 1;
    count += 1;
    length += document.length;
  }
  return { count, meanLength: count > 0 ? Math.max(1, length / count) : 1, contains };
}

interface Weighted {
  readonly term: string;
  readonly weight: number;
}

/** At most 52 distinct terms, since which of them match is kept as bits of one number. */
const termsMax = 52;

function termWeights(index: AccountIndex, terms: readonly string[], scope: Scope): Weighted[] {
  return [...new Set(terms)].slice(0, termsMax).map((term) => ({
    term,
    weight: inverseFrequency(scope.count, documentsWith(index, term, scope).size),
  }));
}

function documentsWith(index: AccountIndex, term: string, scope: Scope): Set<number> {
  const found = new Set<number>();
  const posting = index.posting(term);
  for (let i = 0; i < (posting?.passages.length ?? 0); i += 1) {
    const number = index.passageDocument.at(posting?.passages.at(i) ?? 0);
    if (scope.contains[number] === 1) found.add(number);
  }
  return found;
}

interface KeywordScores {
  /** By document: BM25 of its best passage. */
  readonly best: Float64Array;
  /** By document: which query terms it holds, a bit each. */
  readonly matches: Float64Array;
}

/**
 * BM25 (Robertson & Zaragoza 2009) of passages, where a short document lends each passage the
 * term counts of its whole: xtf = tf(passage)·(1 − d) + d·tf(document), d = min(1, 20/length).
 */
function keywordScores(
  index: AccountIndex,
  weights: readonly Weighted[],
  scope: Scope,
): KeywordScores {
  const best = new Float64Array(index.documents.length);
  const matches = new Float64Array(index.documents.length);
  const perPassage = new Map<number, number>();
  weights.forEach(({ term, weight }, bit) => {
    const posting = index.posting(term);
    if (!posting) return;
    const whole = new Map<number, number>();
    for (let i = 0; i < posting.passages.length; i += 1) {
      const number = index.passageDocument.at(posting.passages.at(i));
      if (scope.contains[number] !== 1) continue;
      whole.set(number, (whole.get(number) ?? 0) + posting.counts.at(i));
    }
    for (const number of whole.keys()) matches[number] = (matches[number] ?? 0) + 2 ** bit;
    for (let i = 0; i < posting.passages.length; i += 1) {
      const passage = posting.passages.at(i);
      const number = index.passageDocument.at(passage);
      const document = index.documents[number];
      const total = whole.get(number);
      if (!document || total === undefined) continue;
      const lent = Math.min(1, lendingWords / Math.max(1, document.length));
      const count = posting.counts.at(i) * (1 - lent) + lent * total;
      const length = index.passageLength.at(passage) * (1 - lent) + lent * document.length;
      const norm = k1 * (1 - b + (b * length) / scope.meanLength);
      const score = (weight * count * (k1 + 1)) / (count + norm);
      perPassage.set(passage, (perPassage.get(passage) ?? 0) + score);
    }
  });
  for (const [passage, score] of perPassage) {
    const number = index.passageDocument.at(passage);
    best[number] = Math.max(best[number] ?? 0, score);
  }
  return { best, matches };
}

/** Tells documents that an excluded expression or a missing required term keeps out. */
function bansOf(
  index: AccountIndex,
  query: CandidateQuery,
  scope: Scope,
): (number: number) => boolean {
  const banned = query.excluded.map((terms) => terms.map((t) => documentsWith(index, t, scope)));
  const required = query.required.map((term) => documentsWith(index, term, scope));
  if (banned.length === 0 && required.length === 0) return () => false;
  return (number) =>
    banned.some((sets) => sets.length > 0 && sets.every((set) => set.has(number))) ||
    required.some((set) => !set.has(number));
}

function coverageOf(
  index: AccountIndex,
  document: IndexedDocument,
  weights: readonly Weighted[],
  matches: number,
  queryMass: number,
  scope: Scope,
): Pick<Candidate, 'coverage' | 'covered' | 'matched'> {
  if (matches === 0) return { coverage: 0, covered: 0, matched: [] };
  const matched: string[] = [];
  let mass = 0;
  let rest = matches;
  for (const { term, weight } of weights) {
    if (rest % 2 === 1) {
      matched.push(term);
      mass += weight;
    }
    rest = Math.floor(rest / 2);
  }
  let whole = 0;
  for (const term of document.terms) {
    whole += inverseFrequency(scope.count, Math.min(scope.count, index.documentFrequency(term)));
  }
  return {
    coverage: queryMass > 0 ? mass / queryMass : 0,
    covered: whole > 0 ? Math.min(1, mass / whole) : 0,
    matched,
  };
}
