import type { AccountIndex, IndexedDocument } from './account-index.ts';
import { inverseFrequency } from './model.ts';
import type { Posting } from './postings.ts';

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
  const matches = matchTerms(index, [...new Set(query.terms)].slice(0, termsMax), scope);
  const banned = bansOf(index, query, scope);
  const candidates: Candidate[] = [];
  for (let number = 0; number < index.documents.length; number += 1) {
    const document = index.documents[number];
    if (!document || scope.contains[number] !== 1 || banned(number)) continue;
    const keyword = matches.best[number] as number;
    const semantic = query.vector ? index.cosine(query.vector, number) : 0;
    if (keyword === 0 && semantic < nearnessMin) continue;
    if (!query.passes(document)) continue;
    const covering = coverageOf(index, document, matches, matches.terms[number] as number, scope);
    candidates.push({ document, keyword, semantic, ...covering });
  }
  return { candidates, queryMass: matches.mass };
}

interface Scope {
  readonly count: number;
  readonly meanLength: number;
  /** By document number: 1 where it is in scope. */
  readonly contains: Uint8Array;
  /** idf by document frequency, computed when it is first asked for. */
  readonly idf: (frequency: number) => number;
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
  const known = new Float64Array(count + 1);
  const idf = (frequency: number): number => {
    const df = Math.min(frequency, count);
    if (known[df] === 0) known[df] = inverseFrequency(count, df);
    return known[df] as number;
  };
  return { count, meanLength: count > 0 ? Math.max(1, length / count) : 1, contains, idf };
}

/** At most 52 distinct terms, since which of them match is kept as bits of one number. */
const termsMax = 52;

interface Matches {
  /** The query's terms with their idf. */
  readonly weights: readonly { readonly term: string; readonly weight: number }[];
  /** Sum of the weights. */
  readonly mass: number;
  /** By document number: BM25 of its best passage. */
  readonly best: Float64Array;
  /** By document number: which query terms it holds, a bit each. */
  readonly terms: Float64Array;
}

/**
 * BM25 (Robertson & Zaragoza 2009) of passages, where a short document lends each passage the
 * term counts of its whole: xtf = tf(passage)·(1 − d) + d·tf(document), d = min(1, 20/length).
 */
function matchTerms(index: AccountIndex, terms: readonly string[], scope: Scope): Matches {
  const best = new Float64Array(index.documents.length);
  const held = new Float64Array(index.documents.length);
  const whole = new Float64Array(index.documents.length);
  const scores = new Float64Array(index.passageDocument.length);
  const weights = terms.map((term, bit) => {
    const posting = index.posting(term);
    const holders = posting ? countWhole(index, posting, scope, whole) : [];
    const weight = scope.idf(holders.length);
    if (posting) addScores(index, posting, scope, { weight, whole, scores });
    for (const number of holders) {
      held[number] = (held[number] as number) + 2 ** bit;
      whole[number] = 0;
    }
    return { term, weight };
  });
  for (const [passage, score] of scores.entries()) {
    if (score === 0) continue;
    const number = index.passageDocument.at(passage);
    if (score > (best[number] as number)) best[number] = score;
  }
  const mass = weights.reduce((sum, { weight }) => sum + weight, 0);
  return { weights, mass, best, terms: held };
}

/** Fills `whole` with the term's count by document; returns the documents that hold it. */
function countWhole(
  index: AccountIndex,
  posting: Posting,
  scope: Scope,
  whole: Float64Array,
): number[] {
  const holders: number[] = [];
  for (let i = 0; i < posting.passages.length; i += 1) {
    const number = index.passageDocument.at(posting.passages.at(i));
    if (scope.contains[number] !== 1) continue;
    if (whole[number] === 0) holders.push(number);
    whole[number] = (whole[number] as number) + posting.counts.at(i);
  }
  return holders;
}

function addScores(
  index: AccountIndex,
  posting: Posting,
  scope: Scope,
  { weight, whole, scores }: { weight: number; whole: Float64Array; scores: Float64Array },
): void {
  for (let i = 0; i < posting.passages.length; i += 1) {
    const passage = posting.passages.at(i);
    const number = index.passageDocument.at(passage);
    const document = index.documents[number];
    if (!document || scope.contains[number] !== 1) continue;
    const lent = Math.min(1, lendingWords / Math.max(1, document.length));
    const count = posting.counts.at(i) * (1 - lent) + lent * (whole[number] as number);
    const length = index.passageLength.at(passage) * (1 - lent) + lent * document.length;
    const norm = k1 * (1 - b + (b * length) / scope.meanLength);
    scores[passage] = (scores[passage] as number) + (weight * count * (k1 + 1)) / (count + norm);
  }
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

function documentsWith(index: AccountIndex, term: string, scope: Scope): Set<number> {
  const found = new Set<number>();
  const posting = index.posting(term);
  for (let i = 0; i < (posting?.passages.length ?? 0); i += 1) {
    const number = index.passageDocument.at(posting?.passages.at(i) ?? 0);
    if (scope.contains[number] === 1) found.add(number);
  }
  return found;
}

const noCoverage = { coverage: 0, covered: 0, matched: [] as readonly string[] };

/** `held` has a bit for each query term that the document holds. */
function coverageOf(
  index: AccountIndex,
  document: IndexedDocument,
  { weights, mass }: Matches,
  held: number,
  scope: Scope,
): Pick<Candidate, 'coverage' | 'covered' | 'matched'> {
  if (held === 0) return noCoverage;
  const matched: string[] = [];
  let own = 0;
  let rest = held;
  for (const { term, weight } of weights) {
    if (rest % 2 === 1) {
      matched.push(term);
      own += weight;
    }
    rest = Math.floor(rest / 2);
  }
  let whole = 0;
  for (const term of document.terms) whole += scope.idf(index.documentFrequency(term));
  return {
    coverage: mass > 0 ? own / mass : 0,
    covered: whole > 0 ? Math.min(1, own / whole) : 0,
    matched,
  };
}
