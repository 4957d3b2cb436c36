/**
 * Working memory of one search at a time, reused by the next. All arrays except `semantic`, which
 * each search overwrites where it reads, are zero between searches: a search records the entries it
 * writes and clears them at its end.
 */
export class SearchBuffers {
  /** By document number. */
  semantic = new Float32Array(0);
  keyword = new Float64Array(0);
  /** BM25 of the whole document, without its neighbours. */
  wholeKeyword = new Float64Array(0);
  /** Sum of idf of the query terms that the document itself contains. */
  ownIdfSum = new Float64Array(0);
  bestPassage = new Int32Array(0);
  bestGain = new Float64Array(0);
  isTouched = new Uint8Array(0);
  /** 1: it passes a selective filter; 2: it is a turn near one that does. */
  candidateMark = new Uint8Array(0);
  /** Of the current term. */
  termCount = new Float32Array(0);
  neighbourCount = new Float32Array(0);
  /** By passage number. */
  passageGain = new Float64Array(0);
  /** By session number. */
  sessionScore = new Float64Array(0);
  sessionCount = new Float32Array(0);
  /** The largest cosine of a turn; at least 0. */
  sessionSimilarity = new Float32Array(0);

  readonly documents = new ReusableIntList();
  readonly marked = new ReusableIntList();
  readonly passages = new ReusableIntList();
  readonly sessions = new ReusableIntList();

  /** Grows the buffers for a search. Throws if the previous search has not ended. */
  ensureCapacity(documents: number, passages: number, sessions: number): void {
    if (this.documents.length + this.marked.length > 0)
      throw new Error('The search buffers are in use');
    if (documents > this.semantic.length) {
      const capacity = Math.ceil(documents * 1.25) + 64;
      this.semantic = new Float32Array(capacity);
      this.keyword = new Float64Array(capacity);
      this.wholeKeyword = new Float64Array(capacity);
      this.ownIdfSum = new Float64Array(capacity);
      this.bestPassage = new Int32Array(capacity);
      this.bestGain = new Float64Array(capacity);
      this.isTouched = new Uint8Array(capacity);
      this.candidateMark = new Uint8Array(capacity);
      this.termCount = new Float32Array(capacity);
      this.neighbourCount = new Float32Array(capacity);
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
      this.keyword[document] = 0;
      this.wholeKeyword[document] = 0;
      this.ownIdfSum[document] = 0;
      this.bestGain[document] = 0;
      this.bestPassage[document] = 0;
      this.isTouched[document] = 0;
    }
    for (const passage of this.passages.view()) this.passageGain[passage] = 0;
    for (const session of this.sessions.view()) this.sessionScore[session] = 0;
    this.sessionSimilarity.fill(0);
    this.documents.clear();
    this.passages.clear();
    this.sessions.clear();
  }
}

/** A list of touched numbers, in order, in reused memory. */
export class ReusableIntList {
  #numbers = new Int32Array(1_024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }

  /** A view, valid until the next push. */
  view(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}
