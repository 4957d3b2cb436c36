import { GrowingInts } from '../account/growing-ints.ts';
import { turnWindowSize } from '../account/sessions.ts';

/** Sorting the numbers of fewer than this share of all documents is faster than finding them. */
const scanFactor = 64;

/**
 * Working memory of one search at a time, reused by the next. All arrays except `semantic`, which
 * each search overwrites where it reads, are zero between searches: a search records the entries it
 * writes and clears them at its end.
 */
export class SearchBuffers {
  /** By document number. */
  semantic = new Float32Array(0);
  keyword = new Float64Array(0);
  /** 1: `keyword`, `bestPassage` and `bestGain` are computed. */
  isScored = new Uint8Array(0);
  /** Two values: the sum of the weights of what matches near, and of its weighted counts. */
  wordsNear = new Float32Array(0);
  /** BM25 of a whole document that is no turn. */
  wholeKeyword = new Float64Array(0);
  /** Sum of idf of the query terms that the document itself contains. */
  ownIdfSum = new Float64Array(0);
  bestPassage = new Int32Array(0);
  bestGain = new Float64Array(0);
  isTouched = new Uint8Array(0);
  /** The same, four documents in each value. */
  #touchedFours = new Int32Array(0);
  /** 1: it passes a selective filter; 2: it is a turn near one that does. */
  candidateMark = new Uint8Array(0);
  /** By passage number. */
  passageGain = new Float64Array(0);
  /** By session number. */
  sessionScore = new Float64Array(0);
  sessionCount = new Float32Array(0);
  /** The largest cosine of a turn; at least 0. */
  sessionSimilarity = new Float32Array(0);

  /** Of turns near a document. */
  readonly window = new Int32Array(turnWindowSize);
  readonly documents = new GrowingInts();
  readonly scored = new GrowingInts();
  readonly marked = new GrowingInts();
  readonly passages = new GrowingInts();
  readonly sessions = new GrowingInts();

  /** Grows the buffers for a search. Throws if the previous search has not ended. */
  ensureCapacity(documents: number, passages: number, sessions: number): void {
    if (this.documents.length + this.marked.length > 0)
      throw new Error('The search buffers are in use');
    if (documents > this.semantic.length) {
      const capacity = 4 * Math.ceil((documents * 1.25) / 4) + 64;
      this.semantic = new Float32Array(capacity);
      this.keyword = new Float64Array(capacity);
      this.wordsNear = new Float32Array(capacity * 2);
      this.wholeKeyword = new Float64Array(capacity);
      this.ownIdfSum = new Float64Array(capacity);
      this.bestPassage = new Int32Array(capacity);
      this.bestGain = new Float64Array(capacity);
      this.isTouched = new Uint8Array(capacity);
      this.#touchedFours = new Int32Array(this.isTouched.buffer);
      this.candidateMark = new Uint8Array(capacity);
      this.isScored = new Uint8Array(capacity);
    }
    if (passages > this.passageGain.length)
      this.passageGain = new Float64Array(Math.ceil(passages * 1.25) + 64);
    if (sessions > this.sessionScore.length) {
      this.sessionScore = new Float64Array(Math.ceil(sessions * 1.25) + 16);
      this.sessionCount = new Float32Array(this.sessionScore.length);
      this.sessionSimilarity = new Float32Array(this.sessionScore.length);
    }
  }

  touch(document: number): void {
    if (this.isTouched[document] === 1) return;
    this.isTouched[document] = 1;
    this.documents.push(document);
  }

  /** The touched documents in the order of their numbers, which is that of their columns. */
  touchedInOrder(): Int32Array {
    const touched = this.documents.view().slice();
    if (touched.length * scanFactor < this.isTouched.length) return touched.sort();
    let count = 0;
    for (let four = 0; count < touched.length; four += 1) {
      if (this.#touchedFours[four] === 0) continue;
      for (let document = 4 * four; document < 4 * four + 4; document += 1) {
        if (this.isTouched[document] === 0) continue;
        touched[count] = document;
        count += 1;
      }
    }
    return touched;
  }

  markCandidate(document: number): void {
    this.candidateMark[document] = 1;
    this.marked.push(document);
  }

  markNeighbour(document: number): void {
    if (this.candidateMark[document] !== 0) return;
    this.candidateMark[document] = 2;
    this.marked.push(document);
  }

  isCandidate(document: number): boolean {
    return this.candidateMark[document] === 1;
  }

  clear(): void {
    for (const document of this.marked.view()) this.candidateMark[document] = 0;
    this.marked.clear();
    for (const document of this.documents.view()) {
      this.wordsNear[2 * document] = 0;
      this.wordsNear[2 * document + 1] = 0;
      this.wholeKeyword[document] = 0;
      this.ownIdfSum[document] = 0;
      this.isTouched[document] = 0;
    }
    for (const document of this.scored.view()) {
      this.keyword[document] = 0;
      this.bestGain[document] = 0;
      this.bestPassage[document] = 0;
      this.isScored[document] = 0;
    }
    for (const passage of this.passages.view()) this.passageGain[passage] = 0;
    for (const session of this.sessions.view()) this.sessionScore[session] = 0;
    this.sessionSimilarity.fill(0);
    this.documents.clear();
    this.scored.clear();
    this.passages.clear();
    this.sessions.clear();
  }
}
