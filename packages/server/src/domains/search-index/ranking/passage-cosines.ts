import type { AccountIndex } from '../account/account-index.ts';
import type { CentredQuery, PassageVectorRange } from '../account/passage-vectors.ts';
import type { SearchScope } from '../account/spaces.ts';
import { isNarrowScope } from './cosine.ts';

/** What a cosine of 1 counts in the choice of a passage, in units of BM25. */
const cosineWeight = 12;

/** The cosines of a query and the passages of long texts. */
export class PassageCosines {
  readonly #index: AccountIndex;
  readonly #cosines: Float32Array;
  /** By document number. */
  readonly #best = new Map<number, number>();
  readonly #bestPassages = new Map<number, number>();

  constructor(index: AccountIndex, scope: SearchScope, query: CentredQuery) {
    this.#index = index;
    const { passageVectors, columns } = index;
    const visible = [...passageVectors.ranges].filter(
      ([document]) => scope.visible[columns.space[document] as number] === 1,
    );
    const numbers = isNarrowScope(index, scope) ? numbersOf(visible.map(([, one]) => one)) : null;
    this.#cosines = passageVectors.cosines(query, scope, numbers, index.revision);
    for (const [document, { first, count }] of visible) {
      let best = 0;
      for (let i = first; i < first + count; i += 1) {
        best = Math.max(best, this.#cosines[i] as number);
      }
      this.#best.set(document, best);
    }
  }

  /** The documents in scope with vectors of passages, each with the cosine of the best. */
  get best(): ReadonlyMap<number, number> {
    return this.#best;
  }

  /**
   * The passage of such a document that answers best, by its number.
   * @param gains what the words of each passage add to BM25
   */
  bestPassage(document: number, gains: Float64Array): number {
    const known = this.#bestPassages.get(document);
    if (known !== undefined) return known;
    const [from, to] = this.#index.passagesOf(document);
    const range = this.#index.passageVectors.ranges.get(document) as PassageVectorRange;
    let best = { passage: from, value: Number.NEGATIVE_INFINITY };
    for (let passage = from; passage < to; passage += 1) {
      const at = range.first + Math.floor((passage - from) / range.passagesPerVector);
      const cosine = Math.max(0, this.#cosines[at] as number);
      const value = (gains[passage] as number) + cosineWeight * cosine;
      if (value > best.value) best = { passage, value };
    }
    this.#bestPassages.set(document, best.passage);
    return best.passage;
  }
}

const numbersOf = (ranges: readonly PassageVectorRange[]): Int32Array =>
  Int32Array.from(
    ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i)),
  );
