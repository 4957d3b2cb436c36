import type { AccountIndex } from '../account/account-index.ts';
import { type DocumentColumns, longFlag, questionAtEndFlag } from '../account/columns.ts';
import { turnKernelRadius, turnKernelWeight, turnWindowSize } from '../account/sessions.ts';
import type { SearchScope } from '../account/spaces.ts';
import { k1, passageB, saturation } from './bm25.ts';
import type { SearchBuffers } from './buffers.ts';
import type { KeywordMatches } from './keyword-matcher.ts';
import { PostingCursor } from './posting-cursor.ts';

/** More than the sums of a limit are rounded down by. */
const limitRounding = 1.0002;

/**
 * BM25 (Robertson & Zaragoza 2009) with the words of neighbouring turns, for the documents that
 * need it. For a term t, a passage p of document i, d = context weight, r = neighbour weight, K =
 * the kernel over its session: x(p) = tf(t,p)·(1 − d i) + d(i)·tf(t,i) + r(i)·Σ K[k]·d(i+k)·
 * tf(t,i+k), its length the same sum over lengths; keyword(i) = max over p of Σ idf·x·(k1 + 1) /
 * (x + k1·(1 − b + b·len/mean)). A passage without the term counts as one of the mean length.
 */
export class KeywordScores {
  readonly #index: AccountIndex;
  readonly #columns: DocumentColumns;
  readonly #scope: SearchScope;
  readonly #buffers: SearchBuffers;
  readonly #wanted: Uint8Array | null;
  readonly #weights: readonly number[];
  readonly #cursors: readonly PostingCursor[];
  /** By term. */
  readonly #own: Float64Array;
  readonly #near: Float32Array;
  /** The count from which on a term has half of its weight, as a line of the length. */
  readonly #halfPerWord: number;
  readonly #halfWithoutWords = k1 * (1 - passageB);

  /** @param wanted marks the documents that have scores with 1; null: all have */
  constructor(
    index: AccountIndex,
    scope: SearchScope,
    buffers: SearchBuffers,
    { matching }: KeywordMatches,
    wanted: Uint8Array | null,
  ) {
    this.#index = index;
    this.#columns = index.columns;
    this.#halfPerWord = (k1 * passageB) / scope.meanLength;
    this.#scope = scope;
    this.#buffers = buffers;
    this.#wanted = wanted;
    this.#weights = matching.map(({ weight }) => weight);
    this.#cursors = matching.map(({ list }) => new PostingCursor(list));
    this.#own = new Float64Array(matching.length);
    this.#near = new Float32Array(matching.length);
  }

  /** The score of a document. */
  of(document: number): number {
    this.#ensure(document);
    return this.#buffers.keyword[document] as number;
  }

  /** The passage whose words add most; −1: none adds anything. */
  bestPassage(document: number): number {
    this.#ensure(document);
    const { bestGain, bestPassage } = this.#buffers;
    return (bestGain[document] as number) > 0 ? (bestPassage[document] as number) : -1;
  }

  /** By passage, for those of the document: what its words add. */
  passageGains(document: number): Float64Array {
    this.#ensure(document);
    return this.#buffers.passageGain;
  }

  /**
   * At least the score of a document, without its occurrences: for weights that sum up to W and
   * weighted counts that sum up to S, Σ w·f(x) ≤ W·f(S / W), as f is concave (Jensen).
   */
  limitOf(document: number): number {
    const { wordsNear } = this.#buffers;
    const weight = wordsNear[2 * document] as number;
    if (weight === 0) return 0;
    const counts = wordsNear[2 * document + 1] as number;
    const { flags, contextWords, contextWeight, words } = this.#columns;
    const isLong = ((flags[document] as number) & longFlag) !== 0;
    const own = (words[document] as number) * (isLong ? (contextWeight[document] as number) : 1);
    // Of a passage at least.
    const length = own + (contextWords[document] as number);
    const half = this.#halfWithoutWords + this.#halfPerWord * length;
    return (limitRounding * (k1 + 1) * counts * weight) / (counts + half * weight);
  }

  #ensure(document: number): void {
    const { isScored, isTouched, scored, keyword } = this.#buffers;
    if (isScored[document] === 1 || isTouched[document] === 0) return;
    if (this.#wanted !== null && this.#wanted[document] !== 1) return;
    isScored[document] = 1;
    scored.push(document);
    this.#countNeighbours(document);
    this.#countOwn(document);
    keyword[document] = this.#sum(document);
    if ((this.#index.columns.passageCount[document] as number) > 1) this.#addPassages(document);
  }

  #countNeighbours(document: number): void {
    const { columns, sessions } = this.#index;
    const { window } = this.#buffers;
    const near = this.#near.fill(0);
    if ((columns.session[document] as number) < 0) return;
    const hasQuestion = (of: number): boolean =>
      ((columns.flags[of] as number) & questionAtEndFlag) !== 0;
    sessions.fillWindow(document, window);
    for (let i = 0; i < turnWindowSize; i += 1) {
      const neighbour = window[i] as number;
      if (neighbour < 0 || neighbour === document || !this.#mayHaveWords(neighbour)) continue;
      const weight = turnKernelWeight(
        i - turnKernelRadius,
        hasQuestion(document),
        hasQuestion(neighbour),
      );
      const [from, end] = this.#index.passagesOf(neighbour);
      for (const [term, cursor] of this.#cursors.entries()) {
        const count = cursor.countIn(from, end);
        const contribution = (columns.contextWeight[neighbour] as number) * count;
        near[term] = (near[term] as number) + weight * contribution;
      }
    }
  }

  /** A turn has the space of its session. */
  #mayHaveWords(neighbour: number): boolean {
    if (this.#wanted === null) return (this.#buffers.ownIdfSum[neighbour] as number) > 0;
    return this.#index.isLive(neighbour);
  }

  #countOwn(document: number): void {
    const [from, end] = this.#index.passagesOf(document);
    for (const [term, cursor] of this.#cursors.entries()) {
      this.#own[term] = cursor.countIn(from, end);
    }
  }

  /** Of the document, as if each passage had its mean share of words. */
  #sum(document: number): number {
    const { columns } = this.#index;
    const words = columns.words[document] as number;
    const passages = columns.passageCount[document] as number;
    const lends = passages < 2 ? 1 : (columns.contextWeight[document] as number);
    let length = columns.contextWords[document] as number;
    if (passages < 2) length += words;
    else length += words * lends + (words / passages) * (1 - lends);
    const share = length / this.#scope.meanLength;
    let sum = 0;
    for (let term = 0; term < this.#weights.length; term += 1) {
      const count = this.#own[term] as number;
      const near = this.#near[term] as number;
      if (count === 0 && near === 0) continue;
      const borrowed = near === 0 ? 0 : (columns.neighbourWeight[document] as number) * near;
      sum +=
        (this.#weights[term] as number) * saturation(borrowed + lends * count, share, passageB);
    }
    return sum;
  }

  /** Adds the gain of the best of several passages that contain terms themselves. */
  #addPassages(document: number): void {
    const { passageLength, columns } = this.#index;
    const { passages: touched, passageGain, bestGain, bestPassage, keyword } = this.#buffers;
    const { meanLength } = this.#scope;
    const lends = columns.contextWeight[document] as number;
    const words = columns.words[document] as number;
    const rest = lends * words + (columns.contextWords[document] as number);
    const mean = rest + (1 - lends) * (words / (columns.passageCount[document] as number));
    const [from, end] = this.#index.passagesOf(document);
    for (const [term, cursor] of this.#cursors.entries()) {
      const shared =
        lends * (this.#own[term] as number) +
        (columns.neighbourWeight[document] as number) * (this.#near[term] as number);
      const without = saturation(shared, mean / meanLength, passageB);
      cursor.eachIn(from, end, (passage, count) => {
        const x = shared + (1 - lends) * count;
        const length = rest + (1 - lends) * passageLength.at(passage);
        const gain = saturation(x, length / meanLength, passageB) - without;
        if (passageGain[passage] === 0) touched.push(passage);
        passageGain[passage] =
          (passageGain[passage] as number) + (this.#weights[term] as number) * gain;
      });
    }
    for (let passage = from; passage < end; passage += 1) {
      if ((passageGain[passage] as number) <= (bestGain[document] as number)) continue;
      bestGain[document] = passageGain[passage] as number;
      bestPassage[document] = passage;
    }
    keyword[document] = (keyword[document] as number) + (bestGain[document] as number);
  }
}
