import type { AccountIndex } from '../account/account-index.ts';
import type { Posting } from '../account/postings.ts';
import type { Scope } from '../account/spaces.ts';
import { bestPassageOf, type QueryContext } from './features.ts';
import { idfOf } from './idf.ts';
import type { KeywordMatches } from './keywords.ts';

/** Of the shown score, fitted on restatements, questions and unrelated texts. */
const weights = { bias: -3.77, keyword: 2.66, semantic: 2.39, covered: 2.52, both: 0.48 };
const keywordShareMax = 1.5;

/** How alike a query and a text are, by themselves. */
interface Likeness {
  /** BM25 ÷ the query's idf mass. */
  readonly keyword: number;
  /** Cosine. */
  readonly semantic: number;
  /** Share of the query's idf mass that the text holds, 0..1. */
  readonly coverage: number;
  /** Share of the text's idf mass that the query holds, 0..1. */
  readonly covered: number;
}

/**
 * The score that is shown, calibrated so that a restatement is at least .9 and unrelated texts
 * are below .5: a logistic function of likeness alone, comparable between queries.
 */
export function shownScore({ keyword, semantic, coverage, covered }: Likeness): number {
  const near = Math.max(0, semantic);
  const sum =
    weights.bias +
    weights.keyword * Math.min(keywordShareMax, keyword) +
    weights.semantic * near +
    weights.covered * Math.sqrt(covered) +
    weights.both * coverage * near;
  return Math.max(1 / (1 + Math.exp(-sum)), restatement(near, coverage));
}

/**
 * 1 where all of the query is there and nothing sets the two apart, falling steeply from there:
 * texts of stop words alone, or of more terms than are looked at, are restated like any other.
 */
const restatement = (near: number, coverage: number): number => Math.min(1, near * coverage) ** 8;

/** Scores documents of one search: as a whole, or by their best passage where that says more. */
export class Scorer {
  readonly #on: QueryContext;
  readonly #scope: Scope;
  readonly #matches: KeywordMatches;
  /** idf by number of the term, once it was told. */
  readonly #idf: Float64Array;
  readonly #frequency: (posting: Posting, term: number) => number;

  constructor(on: QueryContext, scope: Scope, matches: KeywordMatches) {
    this.#on = on;
    this.#scope = scope;
    this.#matches = matches;
    this.#idf = new Float64Array(on.index.terms.postings.length);
    this.#frequency = on.index.frequencyIn(scope);
  }

  score(document: number): number {
    const { index, scratch } = this.#on;
    const { mass } = this.#matches;
    const semantic = scratch.semantic[document] as number;
    const own = scratch.ownMass[document] as number;
    const passages = index.passagesOf(document);
    const whole = shownScore({
      keyword: mass > 0 ? (scratch.keyword[document] as number) / mass : 0,
      semantic,
      coverage: mass > 0 ? own / mass : 1,
      covered: own > 0 ? shareOf(own, this.#massOf(index, passages)) : 0,
    });
    if (own === 0 || (index.columns.passages[document] as number) < 2) return whole;
    return Math.max(whole, this.#passageScore(document, semantic));
  }

  /** Of the best passage; its words tell how near it is, where its vector is not known. */
  #passageScore(document: number, semantic: number): number {
    const { index, scratch } = this.#on;
    const { mass, terms } = this.#matches;
    const passage = bestPassageOf(this.#on, document);
    let own = 0;
    for (const { term, idf } of terms) {
      const posting = idf > 0 ? index.terms.find(term) : undefined;
      if (posting && holds(posting.passages.view(), passage)) own += idf;
    }
    const coverage = mass > 0 ? own / mass : 0;
    const covered = shareOf(own, this.#massOf(index, [passage, passage + 1]));
    return shownScore({
      keyword: mass > 0 ? (scratch.keyword[document] as number) / mass : 0,
      semantic: Math.max(semantic, Math.sqrt(coverage * covered)),
      coverage,
      covered,
    });
  }

  /** idf mass of the distinct terms of passages. */
  #massOf(index: AccountIndex, passages: readonly [number, number]): number {
    let mass = 0;
    index.terms.eachDistinct(passages, (posting, term) => {
      mass += this.#idfOf(posting, term);
    });
    return mass;
  }

  #idfOf(posting: Posting, term: number): number {
    const known = this.#idf[term] as number;
    if (known > 0) return known;
    const { live } = this.#scope;
    const idf = idfOf(live, Math.min(this.#frequency(posting, term), live), posting.chance);
    this.#idf[term] = idf;
    return idf;
  }
}

const shareOf = (part: number, whole: number): number =>
  whole > 0 ? Math.min(1, part / whole) : 0;

/** Whether a number is in a sorted list. */
function holds(sorted: Int32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}

/** The terms of the query that a document holds itself. */
export function matchedTerms(
  index: AccountIndex,
  matches: KeywordMatches,
  document: number,
): string[] {
  const [from, to] = index.passagesOf(document);
  return matches.terms.flatMap(({ term, idf }) => {
    const posting = idf > 0 ? index.terms.find(term) : undefined;
    if (!posting) return [];
    const passages = posting.passages.view();
    for (let passage = from; passage < to; passage += 1) {
      if (holds(passages, passage)) return [term];
    }
    return [];
  });
}
