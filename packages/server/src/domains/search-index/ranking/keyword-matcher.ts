import { termProbability } from '@mneme/text';
import type { AccountIndex } from '../account/account-index.ts';
import { liveFlag, questionAtEndFlag } from '../account/columns.ts';
import type { PostingList } from '../account/postings.ts';
import { type SessionTurns, turnKernelRadius, turnKernelWeight } from '../account/sessions.ts';
import type { SearchScope } from '../account/spaces.ts';
import { inverseDocumentFrequency } from '../model.ts';
import { ReusableIntList, type SearchBuffers } from './buffers.ts';
import { smoothedIdf } from './idf.ts';

/** BM25's saturation and length normalisation; sessions have their own normalisation. */
const k1 = 1.2;
const b = 0.7;
const sessionB = 0.4;
const wholeB = 0.75;

/** The result of matching the query's words; the scores themselves are in the buffers. */
export interface KeywordMatches {
  /** Sum of the query's idf, including terms without a match. */
  readonly idfSum: number;
  /** The terms looked up, with their idf: 0 without a match. */
  readonly terms: readonly { readonly term: string; readonly idf: number }[];
}

/** A corrected spelling counts less than an exact match. */
export const alternativeWeight = 0.7;

/**
 * BM25 (Robertson & Zaragoza 2009) with the words of neighbouring turns. For a term t, a passage p
 * of document i, d = context weight, r = neighbour weight, K = the kernel over its session: x(p) =
 * tf(t,p)·(1 − d i) + d(i)·tf(t,i) + r(i)·Σ K[k]·d(i+k)·tf(t,i+k), its length the same sum over
 * lengths; keyword(i) = max over p of Σ idf·x·(k1 + 1) / (x + k1·(1 − b + b·len/mean)). A passage
 * without the term counts as one of the document's mean length.
 */
export class KeywordMatcher {
  readonly #index: AccountIndex;
  readonly #scope: SearchScope;
  readonly #buffers: SearchBuffers;
  readonly #matching = new ReusableIntList();
  readonly #neighbours = new ReusableIntList();
  /** By document: 1 where it is to be scored; null: all are. */
  #wanted: Uint8Array | null;
  /** Only documents that an earlier term matched are scored. */
  #touchedOnly = false;

  /** @param wanted marks the documents that are to be scored with 1; null: all are */
  constructor(
    index: AccountIndex,
    scope: SearchScope,
    scratch: SearchBuffers,
    wanted: Uint8Array | null = null,
  ) {
    this.#index = index;
    this.#scope = scope;
    this.#buffers = scratch;
    this.#wanted = wanted;
  }

  /**
   * @param alternativesTo spelling alternatives of a term without a match
   * @param fragments terms that only add to the score of documents which others match
   */
  match(
    terms: readonly string[],
    alternativesTo: (term: string) => readonly string[],
    fragments: ReadonlySet<string> = new Set(),
  ): KeywordMatches {
    // How frequent a fragment is, is counted among all documents that other terms match.
    if (fragments.size > 0) this.#wanted = null;
    let mass = 0;
    const inOrder = [...terms].sort((a, b) => Number(fragments.has(a)) - Number(fragments.has(b)));
    const matchedTerms = inOrder.flatMap((term) => {
      this.#touchedOnly = fragments.has(term);
      const idf = this.#addTerm(term, 1);
      const spellings = idf > 0 ? [] : alternativesTo(term);
      const alternatives = spellings.map((other) => ({
        term: other,
        idf: this.#addTerm(other, alternativeWeight),
      }));
      const bestIdf = Math.max(idf, ...alternatives.map((other) => other.idf));
      mass += bestIdf > 0 ? bestIdf : smoothedIdf(this.#scope.liveCount, 0, termProbability(term));
      return alternatives.length > 0 ? alternatives : [{ term, idf }];
    });
    this.#selectBestPassages();
    return { idfSum: mass, terms: matchedTerms };
  }

  /** Returns the term's idf, 0 if no document in scope contains it. */
  #addTerm(term: string, factor: number): number {
    const posting = this.#index.terms.find(term);
    if (!posting) return 0;
    this.#countMatching(posting);
    const matchCount = this.#matching.length;
    if (matchCount === 0) return 0;
    const idf = smoothedIdf(this.#scope.liveCount, matchCount, termProbability(term));
    this.#addNeighbourCounts();
    this.#addToSessions();
    this.#addToDocuments(idf * factor);
    this.#addToPassages(posting, idf * factor);
    this.#resetTerm();
    return idf;
  }

  #countMatching(posting: PostingList): void {
    const { passageDocument, columns } = this.#index;
    const { visible } = this.#scope;
    const { termCount, isTouched } = this.#buffers;
    const { passages, counts } = posting;
    const documents = passageDocument.view();
    for (let at = 0; at < passages.length; at += 1) {
      const document = documents[passages[at] as number] as number;
      if (((columns.flags[document] as number) & liveFlag) === 0) continue;
      if (visible[columns.space[document] as number] === 0) continue;
      if (this.#touchedOnly && isTouched[document] === 0) continue;
      if (termCount[document] === 0) this.#matching.push(document);
      termCount[document] = (termCount[document] as number) + (counts[at] as number);
    }
  }

  #addNeighbourCounts(): void {
    const { columns, sessions } = this.#index;
    const { termCount, neighbourCount } = this.#buffers;
    const { flags } = columns;
    const wanted = this.#wanted;
    if (sessions.all.length === 0) return;
    for (let i = 0; i < this.#matching.length; i += 1) {
      const neighbour = this.#matching.at(i);
      const number = columns.session[neighbour] as number;
      if (number < 0) continue;
      const { turns } = sessions.all[number] as SessionTurns;
      const position = columns.sessionPosition[neighbour] as number;
      const contribution =
        (columns.contextWeight[neighbour] as number) * (termCount[neighbour] as number);
      const hasNeighbourQuestion = ((flags[neighbour] as number) & questionAtEndFlag) !== 0;
      const last = Math.min(turns.length - 1, position + turnKernelRadius);
      for (let at = Math.max(0, position - turnKernelRadius); at <= last; at += 1) {
        const target = turns[at] as number;
        if (at === position || (wanted !== null && wanted[target] !== 1)) continue;
        const step = position - at;
        const hasTargetQuestion =
          step === 1 && ((flags[target] as number) & questionAtEndFlag) !== 0;
        if (neighbourCount[target] === 0) this.#neighbours.push(target);
        neighbourCount[target] =
          (neighbourCount[target] as number) +
          turnKernelWeight(step, hasTargetQuestion, hasNeighbourQuestion) * contribution;
      }
    }
  }

  /** BM25 of whole sessions, each as one text. */
  #addToSessions(): void {
    const { columns, sessions } = this.#index;
    const { termCount, sessionCount, sessionScore, sessions: touched } = this.#buffers;
    const holding: number[] = [];
    for (let at = 0; at < this.#matching.length; at += 1) {
      const holder = this.#matching.at(at);
      const session = columns.session[holder] as number;
      if (session < 0) continue;
      if (sessionCount[session] === 0) holding.push(session);
      sessionCount[session] = (sessionCount[session] as number) + (termCount[holder] as number);
    }
    const idf = inverseDocumentFrequency(this.#scope.sessions, holding.length);
    for (const session of holding) {
      const share = (sessions.all[session]?.words ?? 0) / this.#scope.meanSessionLength;
      const score = idf * saturation(sessionCount[session] as number, share, sessionB);
      if (sessionScore[session] === 0) touched.push(session);
      sessionScore[session] = (sessionScore[session] as number) + score;
      sessionCount[session] = 0;
    }
  }

  #addToDocuments(weight: number): void {
    const { columns } = this.#index;
    const { termCount, neighbourCount, keyword, wholeKeyword, ownIdfSum } = this.#buffers;
    const { meanLength, meanWords } = this.#scope;
    const wanted = this.#wanted;
    const score = (document: number): void => {
      const words = columns.words[document] as number;
      const passages = columns.passageCount[document] as number;
      const count = termCount[document] as number;
      const near = neighbourCount[document] as number;
      let x = near === 0 ? 0 : (columns.neighbourWeight[document] as number) * near;
      let length = columns.contextWords[document] as number;
      if (passages < 2) {
        x += count;
        length += words;
      } else {
        const lends = columns.contextWeight[document] as number;
        x += lends * count;
        length += words * lends + (words / passages) * (1 - lends);
      }
      this.#buffers.touch(document);
      keyword[document] =
        (keyword[document] as number) + weight * saturation(x, length / meanLength, b);
    };
    for (let at = 0; at < this.#matching.length; at += 1) {
      const holder = this.#matching.at(at);
      if (wanted !== null && wanted[holder] !== 1) continue;
      ownIdfSum[holder] = (ownIdfSum[holder] as number) + weight;
      const share = (columns.words[holder] as number) / meanWords;
      wholeKeyword[holder] =
        (wholeKeyword[holder] as number) +
        weight * saturation(termCount[holder] as number, share, wholeB);
      score(holder);
    }
    for (let at = 0; at < this.#neighbours.length; at += 1) {
      const target = this.#neighbours.at(at);
      if (termCount[target] === 0) score(target);
    }
  }

  /** Adds the gain of passages of longer documents that contain the term themselves. */
  #addToPassages(posting: PostingList, weight: number): void {
    const { columns, passageDocument, passageLength } = this.#index;
    const { termCount, neighbourCount, passageGain, passages: touched } = this.#buffers;
    const { meanLength } = this.#scope;
    const wanted = this.#wanted;
    const { passages, counts } = posting;
    for (let at = 0; at < passages.length; at += 1) {
      const passage = passages[at] as number;
      const document = passageDocument.at(passage);
      const parts = columns.passageCount[document] as number;
      if (parts < 2 || termCount[document] === 0) continue;
      if (wanted !== null && wanted[document] !== 1) continue;
      const lends = columns.contextWeight[document] as number;
      const words = columns.words[document] as number;
      const shared =
        lends * (termCount[document] as number) +
        (columns.neighbourWeight[document] as number) * (neighbourCount[document] as number);
      const rest = lends * words + (columns.contextWords[document] as number);
      const x = shared + (1 - lends) * (counts[at] as number);
      const length = rest + (1 - lends) * passageLength.at(passage);
      const without = saturation(shared, (rest + (1 - lends) * (words / parts)) / meanLength, b);
      if (passageGain[passage] === 0) touched.push(passage);
      passageGain[passage] =
        (passageGain[passage] as number) +
        weight * (saturation(x, length / meanLength, b) - without);
    }
  }

  #selectBestPassages(): void {
    const { passageDocument } = this.#index;
    const { passages, passageGain, bestGain, bestPassage, keyword } = this.#buffers;
    for (const passage of passages.view()) {
      const document = passageDocument.at(passage);
      if ((passageGain[passage] as number) <= (bestGain[document] as number)) continue;
      bestGain[document] = passageGain[passage] as number;
      bestPassage[document] = passage;
    }
    for (const passage of passages.view()) {
      const document = passageDocument.at(passage);
      if (bestPassage[document] !== passage) continue;
      keyword[document] = (keyword[document] as number) + (bestGain[document] as number);
    }
  }

  #resetTerm(): void {
    const { termCount, neighbourCount } = this.#buffers;
    for (const holder of this.#matching.view()) termCount[holder] = 0;
    for (const target of this.#neighbours.view()) neighbourCount[target] = 0;
    this.#matching.clear();
    this.#neighbours.clear();
  }
}

const saturation = (x: number, lengthShare: number, normalisation: number): number =>
  (x * (k1 + 1)) / (x + k1 * (1 - normalisation + normalisation * lengthShare));
