import { termProbability } from '@mneme/text';
import type { AccountIndex } from '../account/account-index.ts';
import { liveFlag, questionAtEndFlag, turnFlag } from '../account/columns.ts';
import type { PostingList } from '../account/postings.ts';
import { turnKernelRadius, turnKernelWeight, turnWindowSize } from '../account/sessions.ts';
import type { SearchScope } from '../account/spaces.ts';
import { inverseDocumentFrequency } from '../model.ts';
import { saturation, sessionB, wholeB } from './bm25.ts';
import type { SearchBuffers } from './buffers.ts';
import { smoothedIdf } from './idf.ts';

/** The result of matching the query's words; where they occur is in the buffers. */
export interface KeywordMatches {
  /** Sum of the query's idf, including terms without a match. */
  readonly idfSum: number;
  /** The terms looked up, with their idf: 0 without a match. */
  readonly terms: readonly { readonly term: string; readonly idf: number }[];
  /** What each term that occurs counts, by its position in the occurrences. */
  readonly weights: readonly number[];
}

/** A corrected spelling counts less than an exact match. */
export const alternativeWeight = 0.7;

/**
 * Finds where the terms of a query occur and which documents match: those that have one, and the
 * turns near them. `KeywordScores` computes their scores.
 */
export class KeywordMatcher {
  readonly #index: AccountIndex;
  readonly #scope: SearchScope;
  readonly #buffers: SearchBuffers;
  readonly #weights: number[] = [];
  /** By document: 1 where it is to be scored; 2 near those; null: all are. */
  readonly #wanted: Uint8Array | null;
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
    return { idfSum: mass, terms: matchedTerms, weights: this.#weights };
  }

  /** Returns the term's idf, 0 if no document in scope contains it. */
  #addTerm(term: string, factor: number): number {
    const posting = this.#index.terms.find(term);
    if (!posting) return 0;
    const from = this.#buffers.occurrences.length;
    const { documents: matchCount, sessions } = this.#addOccurrences(posting);
    if (matchCount === 0) return 0;
    const idf = smoothedIdf(this.#scope.liveCount, matchCount, termProbability(term));
    this.#addToSessions(sessions);
    this.#weights.push(idf * factor);
    this.#addToDocuments(from, idf * factor);
    return idf;
  }

  /** Returns how many documents have the term, and the sessions that do. */
  #addOccurrences({ passages, counts }: PostingList): { documents: number; sessions: number[] } {
    const { passageDocument, columns } = this.#index;
    const { visible, isWholeAccount } = this.#scope;
    const { isTouched, sessionCount, occurrences, firstOccurrence } = this.#buffers;
    const wanted = this.#wanted;
    const { flags, space, session } = columns;
    const documents = passageDocument.view();
    const term = this.#weights.length;
    const sessions: number[] = [];
    let [count, last] = [0, -1];
    for (let at = 0; at < passages.length; at += 1) {
      const passage = passages[at] as number;
      const document = documents[passage] as number;
      if (((flags[document] as number) & liveFlag) === 0) continue;
      if (!isWholeAccount && visible[space[document] as number] === 0) continue;
      if (this.#touchedOnly && isTouched[document] === 0) continue;
      const times = counts[at] as number;
      // The passages of a document follow each other.
      if (document !== last) count += 1;
      last = document;
      const number = session[document] as number;
      if (number >= 0) {
        if (sessionCount[number] === 0) sessions.push(number);
        sessionCount[number] = (sessionCount[number] as number) + times;
      }
      if (wanted !== null && wanted[document] === 0) continue;
      occurrences.add(document, term, passage, times, firstOccurrence);
    }
    return { documents: count, sessions };
  }

  /** BM25 of whole sessions, each as one text. */
  #addToSessions(holding: readonly number[]): void {
    const { sessions } = this.#index;
    const { sessionCount, sessionScore, sessions: touched } = this.#buffers;
    const idf = inverseDocumentFrequency(this.#scope.sessions, holding.length);
    for (const session of holding) {
      const share = (sessions.all[session]?.words ?? 0) / this.#scope.meanSessionLength;
      const score = idf * saturation(sessionCount[session] as number, share, sessionB);
      if (sessionScore[session] === 0) touched.push(session);
      sessionScore[session] = (sessionScore[session] as number) + score;
      sessionCount[session] = 0;
    }
  }

  /** Touches what has the term or is near it, and adds what it can count there at most. */
  #addToDocuments(from: number, weight: number): void {
    const { columns } = this.#index;
    const { occurrences, ownIdfSum, wholeKeyword, wordsNear } = this.#buffers;
    const { flags, words } = columns;
    const wanted = this.#wanted;
    const end = occurrences.length;
    for (let at = from; at < end; ) {
      const holder = occurrences.documentOf(at);
      let count = 0;
      for (; at < end && occurrences.documentOf(at) === holder; at += 1) {
        count += occurrences.countOf(at);
      }
      this.#addToNeighbours(holder, weight, count);
      if (wanted !== null && wanted[holder] !== 1) continue;
      this.#buffers.touch(holder);
      ownIdfSum[holder] = (ownIdfSum[holder] as number) + weight;
      wordsNear[2 * holder] = (wordsNear[2 * holder] as number) + weight;
      wordsNear[2 * holder + 1] = (wordsNear[2 * holder + 1] as number) + weight * count;
      if (((flags[holder] as number) & turnFlag) !== 0) continue;
      const share = (words[holder] as number) / this.#scope.meanWords;
      wholeKeyword[holder] =
        (wholeKeyword[holder] as number) + weight * saturation(count, share, wholeB);
    }
  }

  #addToNeighbours(holder: number, weight: number, count: number): void {
    const { columns, sessions } = this.#index;
    if ((columns.session[holder] as number) < 0) return;
    const { window, wordsNear } = this.#buffers;
    const wanted = this.#wanted;
    const asks = ((columns.flags[holder] as number) & questionAtEndFlag) !== 0;
    const contribution = weight * (columns.contextWeight[holder] as number) * count;
    sessions.fillWindow(holder, window);
    for (let i = 0; i < turnWindowSize; i += 1) {
      const target = window[i] as number;
      if (target < 0 || target === holder) continue;
      if (wanted !== null && wanted[target] !== 1) continue;
      this.#buffers.touch(target);
      // Without the question of the target, which lowers the weight.
      const share = turnKernelWeight(turnKernelRadius - i, false, asks);
      wordsNear[2 * target] = (wordsNear[2 * target] as number) + weight;
      wordsNear[2 * target + 1] = (wordsNear[2 * target + 1] as number) + share * contribution;
    }
  }
}
