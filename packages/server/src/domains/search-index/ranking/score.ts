import type { AccountIndex } from '../account/account-index.ts';
import { bestPassageOf, type QueryContext } from './features.ts';
import type { KeywordMatches } from './keyword-matcher.ts';

/**
 * Weights of the shown score, fitted on restatements and on texts that share words, structure or
 * topic.
 */
const weights = { bias: -4.5, coverage: 4.9, semantic: 7 };
/** Below the middle the curve is flatter: the answer to a question restates little of it. */
const lowerSlope = 0.5;
/** At this sum of shared idf the estimated similarity of the rest is one half. */
const idfSumHalf = 8;

/** How similar a query and a text are, independent of other documents. */
export interface MatchFeatures {
  /** Cosine. */
  readonly semantic: number;
  /** Share of the query's idf sum that the text contains, 0..1. */
  readonly coverage: number;
}

/**
 * The shown score: z = −4.5 + 4.9·coverage³ + 7·cosine³, and σ(z), with z halved below 0. Cubes,
 * because half of the words or a cosine of .5 says little: only values near 1 indicate a
 * restatement. All words alone are enough for .5. bench/README.md has the labelled sets.
 */
export function calibratedScore({ semantic, coverage }: MatchFeatures): number {
  const similarity = Math.min(1, Math.max(0, semantic));
  const sum = weights.bias + weights.coverage * coverage ** 3 + weights.semantic * similarity ** 3;
  return 1 / (1 + Math.exp(-(sum < 0 ? sum * lowerSlope : sum)));
}

/** Replaces the cosine where there is no vector: it grows with the number of shared words. */
const estimateCosine = (coverage: number, own: number): number =>
  coverage ** 2 * (own / (own + idfSumHalf));

/** Scores documents of one search: as a whole, or by their best passage if that scores higher. */
export class Scorer {
  readonly #context: QueryContext;
  readonly #matches: KeywordMatches;

  constructor(on: QueryContext, matches: KeywordMatches) {
    this.#context = on;
    this.#matches = matches;
  }

  score(document: number): number {
    const { index, buffers, query } = this.#context;
    const { idfSum } = this.#matches;
    const own = buffers.ownIdfSum[document] as number;
    const hasVector = query.vector !== null && (index.columns.inverseNorm[document] as number) > 0;
    const cosine = hasVector ? Math.max(0, buffers.semantic[document] as number) : 0;
    // A query of stop words only has no idf: the vector has to estimate the coverage.
    const coverage = idfSum > 0 ? Math.min(1, own / idfSum) : cosine ** 2;
    const semantic = hasVector ? cosine : estimateCosine(coverage, own);
    const whole = calibratedScore({ semantic, coverage });
    if (own === 0 || (index.columns.passageCount[document] as number) < 2) return whole;
    return Math.max(whole, this.#passageScore(document, semantic));
  }

  /** Score of the best passage, which has no vector of its own. */
  #passageScore(document: number, semantic: number): number {
    const { index } = this.#context;
    const { idfSum, terms } = this.#matches;
    const passage = bestPassageOf(this.#context, document);
    let own = 0;
    for (const { term, idf } of terms) {
      const posting = idf > 0 ? index.terms.find(term) : undefined;
      if (posting && includesSorted(posting.passages, passage)) own += idf;
    }
    const coverage = idfSum > 0 ? Math.min(1, own / idfSum) : 0;
    return calibratedScore({
      semantic: Math.max(semantic, estimateCosine(coverage, own)),
      coverage,
    });
  }
}

/** Whether a number is in a sorted list. */
function includesSorted(sorted: Int32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}

/** The terms of the query that the document itself contains. */
export function matchedTerms(
  index: AccountIndex,
  matches: KeywordMatches,
  document: number,
): string[] {
  const [from, to] = index.passagesOf(document);
  return matches.terms.flatMap(({ term, idf }) => {
    const posting = idf > 0 ? index.terms.find(term) : undefined;
    if (!posting) return [];
    for (let passage = from; passage < to; passage += 1) {
      if (includesSorted(posting.passages, passage)) return [term];
    }
    return [];
  });
}
