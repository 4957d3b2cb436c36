import type { AccountIndex } from '../account/account-index.ts';
import type { PassageVectorRange, PassageVectors } from '../account/passage-vectors.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { CentredQuery } from '../account/vectors.ts';
import { beginOwnCosines, isNarrowScope } from './cosine.ts';
import type { KeywordMatches } from './keyword-matcher.ts';

/** What a cosine of 1 counts in the choice of a passage, in units of BM25. */
const cosineWeight = 12;
/** A word in the context counts as one in the passage. */
const contextWeight = 1;

/** The cosines of a query and the passages of long texts. */
export class PassageCosines {
  readonly #index: AccountIndex;
  readonly #ranges: ReadonlyMap<number, PassageVectorRange>;
  readonly #cosines: Float32Array;
  /** By document number. */
  readonly #best = new Map<number, number>();
  readonly #bestPassages = new Map<number, number>();

  /**
   * @param wholeCosines of the query and each document, as they are ranked
   * @param only these documents; null: all of the scope
   */
  constructor(
    index: AccountIndex,
    vectors: PassageVectors,
    scope: SearchScope,
    query: CentredQuery,
    wholeCosines: Float32Array,
    only: Int32Array | null = null,
  ) {
    this.#index = index;
    this.#ranges = vectors.ranges;
    const { columns } = index;
    const visible = (only === null ? [...vectors.ranges] : rangesOf(vectors, only)).filter(
      ([document]) => scope.visible[columns.space[document] as number] === 1,
    );
    const isPart = only !== null || isNarrowScope(index, scope);
    const numbers = isPart ? numbersOf(visible.map(([, one]) => one)) : null;
    this.#cosines = vectors.cosines(query, scope, numbers, index.revision);
    for (const [document, { first, count }] of visible) {
      let best = 0;
      for (let i = first; i < first + count; i += 1) {
        best = Math.max(best, this.#cosines[i] as number);
      }
      this.#best.set(document, best);
    }
    if (index.cosineMap) this.#convertBest(scope, query, wholeCosines);
  }

  /** To the scale of the whole texts' cosines: by how much a passage is nearer is comparable. */
  #convertBest(scope: SearchScope, query: CentredQuery, wholeCosines: Float32Array): void {
    const own = new Float32Array(this.#index.columns.length);
    beginOwnCosines(this.#index, scope, query, own)();
    for (const [document, best] of this.#best) {
      const lead = Math.max(0, best - Math.max(0, own[document] as number));
      const whole = Math.max(0, wholeCosines[document] as number);
      this.#best.set(document, Math.min(1, whole + lead));
    }
  }

  /** The documents in scope with vectors of passages, each with the cosine of the best. */
  get best(): ReadonlyMap<number, number> {
    return this.#best;
  }

  /**
   * The passage of such a document that answers best, by its number.
   * @param gains what the words of each passage add to BM25
   * @param terms of the query: those in the context of a passage count, too
   */
  bestPassage(document: number, gains: Float64Array, terms: KeywordMatches['terms']): number {
    const known = this.#bestPassages.get(document);
    if (known !== undefined) return known;
    const [from, to] = this.#index.passagesOf(document);
    const range = this.#ranges.get(document) as PassageVectorRange;
    const fromContext = this.#contextGains(from, to, terms);
    let best = { passage: from, value: Number.NEGATIVE_INFINITY };
    for (let passage = from; passage < to; passage += 1) {
      const at = range.first + Math.floor((passage - from) / range.passagesPerVector);
      const cosine = Math.max(0, this.#cosines[at] as number);
      const words = (gains[passage] as number) + (fromContext[passage - from] as number);
      const value = words + cosineWeight * cosine;
      if (value > best.value) best = { passage, value };
    }
    this.#bestPassages.set(document, best.passage);
    return best.passage;
  }

  /** What words in the contexts of passages add to BM25. */
  #contextGains(from: number, to: number, terms: KeywordMatches['terms']): Float64Array {
    const gains = new Float64Array(to - from);
    for (const { term, idf } of terms) {
      const passages = this.#index.contextTerms?.get(term)?.view();
      if (!passages) continue;
      for (let at = firstFrom(passages, from); at < passages.length; at += 1) {
        const passage = passages[at] as number;
        if (passage >= to) break;
        gains[passage - from] = (gains[passage - from] as number) + contextWeight * idf;
      }
    }
    return gains;
  }
}

/** Position of the first passage that is not before this one. */
function firstFrom(passages: Int32Array, passage: number): number {
  let [low, high] = [0, passages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((passages[middle] as number) < passage) low = middle + 1;
    else high = middle;
  }
  return low;
}

const rangesOf = ({ ranges }: PassageVectors, documents: Int32Array) =>
  [...documents].flatMap((document): [number, PassageVectorRange][] => {
    const range = ranges.get(document);
    return range ? [[document, range]] : [];
  });

const numbersOf = (ranges: readonly PassageVectorRange[]): Int32Array =>
  Int32Array.from(
    ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i)),
  );
